-- A team's own prices over the catalog's: each change is a row, and the newest row of a key is what holds.
-- Append-only: never edit a migration that has been released; add the next one.

CREATE TABLE quote (
    id          INTEGER PRIMARY KEY,
    team_id     INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    -- what of the catalog it replaces: a path of the overrides of a request, such as server_usd.b200
    key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 120),
    -- counts the changes of a key, so that two people cannot overwrite each other unseen
    version     INTEGER NOT NULL CHECK (version >= 1),
    -- absent: the quote was removed
    value       REAL,
    supplier    TEXT    NOT NULL CHECK (length(supplier) <= 80),
    -- the last day on which it holds, in UTC; absent: until it is changed
    valid_until TEXT    CHECK (valid_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    note        TEXT    NOT NULL CHECK (length(note) <= 500),
    -- who changed it; none when the account is deleted
    account_id  INTEGER REFERENCES account (id) ON DELETE SET NULL,
    at          INTEGER NOT NULL CHECK (at > 0),
    UNIQUE (team_id, key, version)
) STRICT;

CREATE INDEX quote_by_account ON quote (account_id);
