-- What agents remember: plain text with a version, found by key, by how keys begin, by tags and by words.

DROP TRIGGER memory_items_updated_at ON memory_items;

ALTER TABLE memory_items
    -- Compared byte by byte, so that the primary key finds how a key begins as well.
    ALTER COLUMN key TYPE VARCHAR(200) COLLATE "C",
    ALTER COLUMN value TYPE TEXT USING value #>> '{}',
    DROP COLUMN expires_at,
    ADD COLUMN version BIGINT NOT NULL DEFAULT 1,
    -- The words of key and value as the program takes them apart, so that they are the same in every locale.
    ADD COLUMN words TSVECTOR NOT NULL DEFAULT '';

CREATE INDEX idx_memory_words ON memory_items USING gin (words);
