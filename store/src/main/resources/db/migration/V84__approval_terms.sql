-- Why people are asked, whose yes a call needs, and what a standing yes was given for.

ALTER TABLE approvals
    -- Every reason, each with the rule of the session's policy that wants it, if one does.
    ADD COLUMN causes JSONB NOT NULL DEFAULT '[]',
    -- So many different people must say yes.
    ADD COLUMN approvers_needed INTEGER NOT NULL DEFAULT 1 CHECK (approvers_needed > 0),
    -- Without it, the key or person that made the call is none of them.
    ADD COLUMN caller_may_approve BOOLEAN NOT NULL DEFAULT true;

UPDATE approvals
SET causes = jsonb_build_array(jsonb_build_object('reason', reason, 'approval_rule_id', approval_rule_id));

-- Who has said yes to a question; with enough of them it is answered.
CREATE TABLE approval_yeses (
    approval_id UUID NOT NULL REFERENCES approvals ON DELETE CASCADE,
    said_by     VARCHAR(200) NOT NULL,
    reason      TEXT,
    scope       VARCHAR(20) NOT NULL CHECK (scope IN ('once', 'session', 'agent')),
    until       TIMESTAMPTZ,
    said_at     TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (approval_id, said_by)
);

ALTER TABLE approvals ALTER COLUMN answered_by TYPE TEXT;
ALTER TABLE standing_approvals
    ALTER COLUMN granted_by TYPE TEXT,
    ADD COLUMN causes JSONB NOT NULL DEFAULT '[]',
    ADD COLUMN granters TEXT[] NOT NULL DEFAULT '{}';

UPDATE standing_approvals s SET causes = a.causes, granters = ARRAY[s.granted_by]
FROM approvals a WHERE a.approval_id = s.approval_id;

-- What one was given for is not known any more, so it covers nothing: people are asked again.
UPDATE standing_approvals SET revoked_at = now(), revoked_by = 'upgrade'
WHERE causes = '[]' AND revoked_at IS NULL;
