-- Share links of several kinds that expire, pause and rotate.
-- Append-only: never edit a migration that has been released; add the next one.

-- What follows its scenario has no snapshot of its own, so the columns of one may be empty: SQLite changes that only
-- by a new table. Nothing refers to the old one.
CREATE TABLE link (
    id              INTEGER PRIMARY KEY,
    public_id       TEXT    NOT NULL UNIQUE CHECK (length(public_id) BETWEEN 12 AND 24),
    token_hash      BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    -- names the picture of what it opens, and says nothing of the token
    card_id         TEXT    NOT NULL UNIQUE CHECK (length(card_id) BETWEEN 12 AND 24),
    scenario_id     INTEGER NOT NULL REFERENCES scenario (id) ON DELETE CASCADE,
    -- frozen: a snapshot of its own; live: what the scenario has; feed: the same as data, for spreadsheets only
    kind            TEXT    NOT NULL DEFAULT 'frozen' CHECK (kind IN ('frozen', 'live', 'feed')),
    label           TEXT    NOT NULL DEFAULT '' CHECK (length(label) <= 80),
    name            TEXT    CHECK (length(name) BETWEEN 1 AND 120),
    plan            TEXT    CHECK (json_valid(plan)),
    engine_version  TEXT,
    catalog_version TEXT,
    frozen_at       INTEGER CHECK (frozen_at > 0),
    views           INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
    last_view_at    INTEGER CHECK (last_view_at > 0),
    -- absent: never
    expires_at      INTEGER CHECK (expires_at > 0),
    paused_at       INTEGER CHECK (paused_at > 0),
    revoked_at      INTEGER CHECK (revoked_at > 0),
    created_at      INTEGER NOT NULL CHECK (created_at > 0),
    CHECK ((kind = 'frozen') = (plan IS NOT NULL)),
    CHECK ((plan IS NULL) = (name IS NULL) AND (plan IS NULL) = (frozen_at IS NULL))
) STRICT;

INSERT INTO link (id, public_id, token_hash, card_id, scenario_id, name, plan, engine_version, catalog_version, frozen_at,
                  views, revoked_at, created_at)
SELECT id, public_id, token_hash, lower(hex(randomblob(12))), scenario_id, name, plan, engine_version, catalog_version,
       frozen_at, views, revoked_at, created_at
FROM share_link;

DROP TABLE share_link;
ALTER TABLE link RENAME TO share_link;

CREATE INDEX share_link_by_scenario ON share_link (scenario_id, id);
