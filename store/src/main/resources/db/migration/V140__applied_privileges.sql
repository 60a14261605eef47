-- What the privileges of the gate's roles were after they were granted last, so that a start which finds them unchanged
-- does not grant all of them again.
ALTER TABLE applied_migrations ADD COLUMN privileges text;
