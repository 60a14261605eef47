-- Whoever follows the chains looks at those that are open and those that ended lately, however many there have been.
CREATE INDEX idx_audit_instances_ended ON audit_instances (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX idx_audit_anchors_created ON audit_anchors (created_at);
