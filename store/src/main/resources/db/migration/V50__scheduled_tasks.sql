-- Work that is done by the clock. The instance that picks a row does it; the others leave it alone.
CREATE TABLE scheduled_tasks (
    task_name            TEXT NOT NULL,
    task_instance        TEXT NOT NULL,
    task_data            BYTEA,
    execution_time       TIMESTAMPTZ NOT NULL,
    picked               BOOLEAN NOT NULL,
    picked_by            TEXT,
    last_success         TIMESTAMPTZ,
    last_failure         TIMESTAMPTZ,
    consecutive_failures INTEGER,
    last_heartbeat       TIMESTAMPTZ,
    version              BIGINT NOT NULL,
    priority             SMALLINT,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX idx_scheduled_tasks_due ON scheduled_tasks (execution_time);
CREATE INDEX idx_scheduled_tasks_heartbeat ON scheduled_tasks (last_heartbeat);
