-- The gates that run on this database, and where each keeps files. A gate holds an advisory lock (class 21609, its number)
-- for as long as it runs; rows of gates that are gone are removed by the next one that starts.
CREATE TABLE gate_instances (
    instance_id UUID PRIMARY KEY,
    number      INTEGER GENERATED ALWAYS AS IDENTITY UNIQUE,
    host        TEXT NOT NULL,
    process_id  BIGINT NOT NULL,
    started_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- By name of the place, what identifies it: two gates with the same identity see the same files.
    places      JSONB NOT NULL
);
