-- The instances that run on this database, one row each, in place of a table for held calls and one for shared files. An
-- instance updates seen_at twice a second, and holds an advisory lock (class 21609, its number) with the same connection: the
-- lock says at once that a process has ended, seen_at says for how long one could not be reached. Rows whose lock nobody
-- holds are deleted by the next instance that starts.
CREATE TABLE instances (
    instance_id UUID PRIMARY KEY,
    number      INTEGER GENERATED ALWAYS AS IDENTITY UNIQUE,
    host        TEXT NOT NULL,
    process_id  BIGINT NOT NULL,
    started_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    seen_at     TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- By name of the place, what identifies it: two instances with the same identity see the same files. Empty for an
    -- instance that keeps no files which others must see.
    places      JSONB NOT NULL DEFAULT '{}'
);

DROP TABLE approval_instances;
DROP TABLE gate_instances;
