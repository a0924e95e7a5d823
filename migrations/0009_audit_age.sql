-- What was done in a team is kept for a while: the old lines are found by their age.
-- Append-only: never edit a migration that has been released; add the next one.

CREATE INDEX audit_by_age ON audit (at);
