-- Invitations to teams, and what was done in a team by whom.
-- Append-only: never edit a migration that has been released; add the next one.

CREATE TABLE invitation (
    id         INTEGER PRIMARY KEY,
    public_id  TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    team_id    INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    role       TEXT    NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
    -- who is no owner of the team any more has no invitations to it either
    made_by    INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL CHECK (created_at > 0),
    expires_at INTEGER NOT NULL CHECK (expires_at > created_at)
) STRICT;

CREATE INDEX invitation_by_team ON invitation (team_id, id);
CREATE INDEX invitation_by_maker ON invitation (made_by);

-- People are named by reference only: whoever deletes the account is not named any more.
CREATE TABLE audit (
    id         INTEGER PRIMARY KEY,
    team_id    INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    account_id INTEGER REFERENCES account (id) ON DELETE SET NULL,
    action     TEXT    NOT NULL CHECK (length(action) BETWEEN 1 AND 40),
    -- whom it was done to, if to a person
    about_id   INTEGER REFERENCES account (id) ON DELETE SET NULL,
    -- what it was done to, such as the name of a scenario
    object     TEXT    NOT NULL CHECK (length(object) <= 200),
    at         INTEGER NOT NULL CHECK (at > 0)
) STRICT;

CREATE INDEX audit_by_team ON audit (team_id, id DESC);
CREATE INDEX audit_by_account ON audit (account_id);
CREATE INDEX audit_about ON audit (about_id);
