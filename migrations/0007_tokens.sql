-- Tokens of the API: each of a member of a team, for a while, with a scope.
-- Append-only: never edit a migration that has been released; add the next one.

CREATE TABLE api_token (
    id           INTEGER PRIMARY KEY,
    public_id    TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    token_hash   BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    team_id      INTEGER NOT NULL,
    account_id   INTEGER NOT NULL,
    name         TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    -- write is read too
    scope        TEXT    NOT NULL CHECK (scope IN ('read', 'write')),
    created_at   INTEGER NOT NULL CHECK (created_at > 0),
    expires_at   INTEGER NOT NULL CHECK (expires_at > created_at),
    -- to the hour: it tells whether a token is needed, not what its holder does when
    last_used_at INTEGER CHECK (last_used_at > 0),
    -- who leaves the team takes no way in along
    FOREIGN KEY (team_id, account_id) REFERENCES member (team_id, account_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX api_token_by_member ON api_token (team_id, account_id);
