-- How the digest of a record is made: 1 is the form of all records from before, 2 has names and values.
ALTER TABLE tool_audit_logs ADD COLUMN digest_version SMALLINT NOT NULL DEFAULT 1;

-- Calls of tools, or changes by administrators.
ALTER TABLE tool_audit_logs ADD COLUMN kind VARCHAR(20) NOT NULL DEFAULT 'call'
    CHECK (kind IN ('call', 'administration'));
ALTER TABLE tool_intents ADD COLUMN kind VARCHAR(20) NOT NULL DEFAULT 'call';

-- The ids under which callers, models and agent hosts know a call, and when it was made by its caller's clock.
ALTER TABLE tool_audit_logs
    ADD COLUMN correlation_id   VARCHAR(200),
    ADD COLUMN conversation_id  VARCHAR(200),
    ADD COLUMN message_id       VARCHAR(200),
    ADD COLUMN tool_call_id     VARCHAR(200),
    ADD COLUMN task_id          VARCHAR(200),
    ADD COLUMN step_id          VARCHAR(200),
    ADD COLUMN client_timestamp TIMESTAMPTZ;
ALTER TABLE tool_intents
    ADD COLUMN correlation_id   VARCHAR(200),
    ADD COLUMN conversation_id  VARCHAR(200),
    ADD COLUMN message_id       VARCHAR(200),
    ADD COLUMN tool_call_id     VARCHAR(200),
    ADD COLUMN task_id          VARCHAR(200),
    ADD COLUMN step_id          VARCHAR(200),
    ADD COLUMN client_timestamp TIMESTAMPTZ;

-- What the arguments were before secrets were masked, as a keyed digest, and how much of them is masked.
ALTER TABLE tool_audit_logs ADD COLUMN arguments_digest VARCHAR(200), ADD COLUMN masked_characters INTEGER;
ALTER TABLE tool_intents ADD COLUMN arguments_digest VARCHAR(200), ADD COLUMN masked_characters INTEGER;

CREATE INDEX idx_audit_correlation ON tool_audit_logs (tenant_id, correlation_id) WHERE correlation_id IS NOT NULL;
CREATE INDEX idx_audit_conversation ON tool_audit_logs (tenant_id, conversation_id, timestamp, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX idx_audit_administration ON tool_audit_logs (tenant_id, timestamp, id) WHERE kind = 'administration';
