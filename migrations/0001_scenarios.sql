-- Scenarios of browsers without an account, and share links to frozen plans.
-- Append-only: never edit a migration that has been released; add the next one.
-- Times are milliseconds since 1970 UTC. Secrets are stored as their SHA-256 only.

CREATE TABLE owner (
    id         INTEGER PRIMARY KEY,
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at INTEGER NOT NULL CHECK (created_at > 0)
) STRICT;

CREATE TABLE scenario (
    id              INTEGER PRIMARY KEY,
    public_id       TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    owner_id        INTEGER NOT NULL REFERENCES owner (id) ON DELETE CASCADE,
    name            TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    headline        TEXT    NOT NULL,
    -- the inputs as the address of the planner has them, and as the engine reads them
    query           TEXT    NOT NULL,
    request         TEXT    NOT NULL CHECK (json_valid(request)),
    -- the plan as it was when the inputs were saved
    plan            TEXT    NOT NULL CHECK (json_valid(plan)),
    engine_version  TEXT    NOT NULL,
    catalog_version TEXT    NOT NULL,
    -- counts changes, so that two tabs cannot overwrite each other unseen
    version         INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at      INTEGER NOT NULL CHECK (created_at > 0),
    updated_at      INTEGER NOT NULL CHECK (updated_at >= created_at)
) STRICT;

CREATE INDEX scenario_by_owner ON scenario (owner_id, updated_at DESC, id DESC);

CREATE TABLE share_link (
    id              INTEGER PRIMARY KEY,
    public_id       TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    token_hash      BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    scenario_id     INTEGER NOT NULL REFERENCES scenario (id) ON DELETE CASCADE,
    -- a snapshot of its own: later changes of the scenario do not reach those who hold the link
    name            TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
    plan            TEXT    NOT NULL CHECK (json_valid(plan)),
    engine_version  TEXT    NOT NULL,
    catalog_version TEXT    NOT NULL,
    frozen_at       INTEGER NOT NULL CHECK (frozen_at > 0),
    views           INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
    revoked_at      INTEGER CHECK (revoked_at > 0),
    created_at      INTEGER NOT NULL CHECK (created_at > 0)
) STRICT;

CREATE INDEX share_link_by_scenario ON share_link (scenario_id, id);
