-- What has no month of its own lies beside the months, no longer in a default partition: a table with a default
-- partition can neither let go of a month (DETACH PARTITION ... CONCURRENTLY) nor take on a new one without stopping
-- whoever records. A new column of one of the two tables is a new column of both.
ALTER TABLE tool_audit_logs DETACH PARTITION tool_audit_logs_rest;

-- One sequence numbers the records of both tables, so that pages have one order.
ALTER TABLE tool_audit_logs_rest ALTER COLUMN id DROP IDENTITY IF EXISTS;
ALTER TABLE tool_audit_logs_rest ALTER COLUMN id SET DEFAULT nextval('tool_audit_logs_id_seq');

CREATE INDEX idx_audit_rest_time ON tool_audit_logs_rest (timestamp);

-- Made apart and then attached, which locks out nobody; CREATE TABLE ... PARTITION OF would.
-- A month that already has records beside the months is left there: still found, still pruned.
CREATE OR REPLACE FUNCTION create_audit_partitions(first_day DATE, months INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    lower TIMESTAMPTZ;
    upper TIMESTAMPTZ;
    name TEXT;
    created INTEGER := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(21607, 0);
    FOR i IN 0 .. months - 1 LOOP
        lower := (date_trunc('month', first_day::timestamp) + make_interval(months => i)) AT TIME ZONE 'UTC';
        upper := (date_trunc('month', first_day::timestamp) + make_interval(months => i + 1)) AT TIME ZONE 'UTC';
        name := 'tool_audit_logs_' || to_char(lower AT TIME ZONE 'UTC', 'YYYY_MM');
        IF to_regclass(name) IS NULL
           AND NOT EXISTS (SELECT FROM tool_audit_logs_rest WHERE timestamp >= lower AND timestamp < upper) THEN
            EXECUTE format('CREATE TABLE %I (LIKE tool_audit_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
            EXECUTE format('ALTER TABLE tool_audit_logs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                           name, lower, upper);
            created := created + 1;
        END IF;
    END LOOP;
    RETURN created;
END $$;
