-- Cost and days of the plans of scenarios, for lists: reading them from hundreds of plans takes too long.
-- Append-only: never edit a migration that has been released; add the next one.

-- typical values of the size that the plan shows; absent where it has none
ALTER TABLE scenario ADD COLUMN cost_usd REAL;
ALTER TABLE scenario ADD COLUMN days REAL;
ALTER TABLE scenario_version ADD COLUMN cost_usd REAL;
ALTER TABLE scenario_version ADD COLUMN days REAL;

UPDATE scenario SET (cost_usd, days) = (
    SELECT json_extract(tier.value, '$.cost.total_usd.typical'), json_extract(tier.value, '$.days.typical')
    FROM json_each(scenario.plan, '$.tiers') AS tier
    WHERE json_extract(tier.value, '$.tier') = json_extract(scenario.plan, '$.shown_tier'));

UPDATE scenario_version SET (cost_usd, days) = (
    SELECT json_extract(tier.value, '$.cost.total_usd.typical'), json_extract(tier.value, '$.days.typical')
    FROM json_each(scenario_version.plan, '$.tiers') AS tier
    WHERE json_extract(tier.value, '$.tier') = json_extract(scenario_version.plan, '$.shown_tier'))
WHERE plan IS NOT NULL;

-- the plan of a current version is that of its scenario
UPDATE scenario_version SET (cost_usd, days) = (
    SELECT scenario.cost_usd, scenario.days FROM scenario WHERE scenario.id = scenario_version.scenario_id)
WHERE plan IS NULL;
