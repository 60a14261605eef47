-- Links in the chain of an instance that carry the heads of other chains. They have places in the sequence of the
-- chain but are no calls, so they are kept apart from those.
CREATE TABLE audit_anchors (
    instance_id    UUID NOT NULL,
    sequence       BIGINT NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    head_instances UUID[] NOT NULL,
    head_sequences BIGINT[] NOT NULL,
    head_hashes    TEXT[] NOT NULL,
    previous_hash  BYTEA NOT NULL,
    hash           BYTEA NOT NULL,
    PRIMARY KEY (instance_id, sequence)
);
