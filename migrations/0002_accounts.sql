-- Accounts, their sessions and one-time links, and the teams that scenarios belong to.
-- Append-only: never edit a migration that has been released; add the next one.
-- Times are milliseconds since 1970 UTC. Secrets are stored as their SHA-256, passwords as Argon2id (PHC form) only.

-- What scenarios belong to: a browser that holds the token, or a team, whose token_hash is random and of no token.
ALTER TABLE owner ADD COLUMN kind TEXT NOT NULL DEFAULT 'browser' CHECK (kind IN ('browser', 'team'));

CREATE TABLE account (
    id            INTEGER PRIMARY KEY,
    public_id     TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    email         TEXT    NOT NULL UNIQUE COLLATE NOCASE CHECK (length(email) BETWEEN 3 AND 254),
    -- absent until its holder has opened the link that an administrator made
    password_hash TEXT    CHECK (password_hash LIKE '$argon2id$%'),
    created_at    INTEGER NOT NULL CHECK (created_at > 0)
) STRICT;

CREATE TABLE team (
    id         INTEGER PRIMARY KEY,
    public_id  TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    owner_id   INTEGER NOT NULL UNIQUE REFERENCES owner (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    created_at INTEGER NOT NULL CHECK (created_at > 0)
) STRICT;

CREATE TABLE member (
    team_id    INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    role       TEXT    NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
    joined_at  INTEGER NOT NULL CHECK (joined_at > 0),
    PRIMARY KEY (team_id, account_id)
) STRICT;

CREATE INDEX member_by_account ON member (account_id, joined_at);

CREATE TABLE session (
    id           INTEGER PRIMARY KEY,
    public_id    TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    token_hash   BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    account_id   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- the team that it works in; the oldest of the account when absent or left
    team_id      INTEGER REFERENCES team (id) ON DELETE SET NULL,
    user_agent   TEXT    NOT NULL CHECK (length(user_agent) <= 80),
    created_at   INTEGER NOT NULL CHECK (created_at > 0),
    last_seen_at INTEGER NOT NULL CHECK (last_seen_at >= created_at),
    -- whatever happens it ends then; it ends earlier when it is idle
    expires_at   INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX session_by_account ON session (account_id, last_seen_at DESC);
CREATE INDEX session_by_team ON session (team_id);

CREATE TABLE reset_link (
    id         INTEGER PRIMARY KEY,
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL CHECK (created_at > 0),
    expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX reset_link_by_account ON reset_link (account_id);
