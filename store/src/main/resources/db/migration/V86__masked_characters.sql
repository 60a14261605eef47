-- How much of its arguments a question does not show, for those who answer it.
ALTER TABLE approvals ADD COLUMN masked_characters BIGINT NOT NULL DEFAULT 0;
