-- What the migrations were that brought the tables up to date last, so that a start which finds the same ones skips
-- looking at each of them.
CREATE TABLE applied_migrations (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    fingerprint text NOT NULL
);
