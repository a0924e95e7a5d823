-- Scenarios with history: every save is a version; notes, tags, and what is put away.
-- Append-only: never edit a migration that has been released; add the next one.

-- A scenario holds what its current version holds; `version`, which was there before, counts the changes of its texts.
ALTER TABLE scenario ADD COLUMN number INTEGER NOT NULL DEFAULT 1 CHECK (number >= 1);
ALTER TABLE scenario ADD COLUMN notes TEXT NOT NULL DEFAULT '' CHECK (length(notes) <= 4000);
ALTER TABLE scenario ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
ALTER TABLE scenario ADD COLUMN archived_at INTEGER CHECK (archived_at > 0);
-- when the plan was made, which a restored version keeps
ALTER TABLE scenario ADD COLUMN frozen_at INTEGER NOT NULL DEFAULT 0 CHECK (frozen_at >= 0);
UPDATE scenario SET frozen_at = created_at;

CREATE TABLE scenario_version (
    id              INTEGER PRIMARY KEY,
    scenario_id     INTEGER NOT NULL REFERENCES scenario (id) ON DELETE CASCADE,
    number          INTEGER NOT NULL CHECK (number >= 1),
    headline        TEXT    NOT NULL,
    query           TEXT    NOT NULL,
    request         TEXT    NOT NULL CHECK (json_valid(request)),
    -- absent while it is the current version, whose plan the scenario holds
    plan            TEXT    CHECK (plan IS NULL OR json_valid(plan)),
    engine_version  TEXT    NOT NULL,
    catalog_version TEXT    NOT NULL,
    frozen_at       INTEGER NOT NULL CHECK (frozen_at >= 0),
    -- what saved it: an account, named by reference only, or a browser where nobody was logged in
    author          TEXT    NOT NULL CHECK (author IN ('account', 'browser', 'unknown')),
    account_id      INTEGER REFERENCES account (id) ON DELETE SET NULL,
    reason          TEXT    NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
    saved_at        INTEGER NOT NULL CHECK (saved_at > 0),
    UNIQUE (scenario_id, number)
) STRICT;

CREATE INDEX scenario_version_by_account ON scenario_version (account_id);

INSERT INTO scenario_version (scenario_id, number, headline, query, request, engine_version, catalog_version, frozen_at, author, reason, saved_at)
SELECT scenario.id, scenario.number, scenario.headline, scenario.query, scenario.request, scenario.engine_version, scenario.catalog_version,
       scenario.frozen_at, CASE owner.kind WHEN 'browser' THEN 'browser' ELSE 'unknown' END, 'saved', scenario.created_at
FROM scenario JOIN owner ON owner.id = scenario.owner_id;
