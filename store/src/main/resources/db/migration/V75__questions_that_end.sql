-- Questions of callers that cannot come back for the outcome: without whoever waits, nobody wants the call any more.
ALTER TABLE approvals ADD COLUMN ends_with_waiter BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX idx_approvals_ending ON approvals (waiter) WHERE ends_with_waiter AND verdict IS NULL AND ended_at IS NULL;
