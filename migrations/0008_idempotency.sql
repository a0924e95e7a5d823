-- Answers to requests that a program may send twice: the second time it gets the first answer.
-- Append-only: never edit a migration that has been released; add the next one.

CREATE TABLE idempotency (
    team_id    INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
    -- what the program calls its request
    key        TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    -- SHA-256 of what was asked: another request under the same key is a mistake
    asked      BLOB    NOT NULL CHECK (length(asked) = 32),
    -- absent while the first is still being answered
    location   TEXT,
    etag       TEXT,
    body       BLOB,
    created_at INTEGER NOT NULL CHECK (created_at > 0),
    PRIMARY KEY (team_id, key),
    CHECK ((location IS NULL) = (body IS NULL) AND (etag IS NULL) = (body IS NULL))
) STRICT;

CREATE INDEX idempotency_by_age ON idempotency (created_at);
