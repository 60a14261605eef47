-- The Merkle tree over what retention has removed from a chain, as the roots of its perfect subtrees: with it the tree
-- over the whole chain can still be computed and compared with signed checkpoints. NULL where it is not known, as for
-- chains that were pruned before there were checkpoints.
ALTER TABLE audit_instances ADD COLUMN pruned_tree BYTEA[];
UPDATE audit_instances SET pruned_tree = '{}' WHERE pruned_sequence = 0;
ALTER TABLE audit_instances ALTER COLUMN pruned_tree SET DEFAULT '{}';

-- Up to where the outside places have a signed checkpoint of a chain. Retention removes nothing beyond it. Only the
-- checkpoints themselves, outside, prove anything.
CREATE TABLE audit_checkpoints (
    instance_id  UUID PRIMARY KEY,
    sequence     BIGINT NOT NULL,
    published_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
);
