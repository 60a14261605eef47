-- A key that replaces another has a secret and an expiry of its own, and stands for the same principal.

ALTER TABLE api_keys
    ADD COLUMN rotated_from UUID REFERENCES api_keys ON DELETE SET NULL,
    -- The first key of the line, by which records call its bearer; NULL for that key itself.
    ADD COLUMN principal_id UUID;

CREATE INDEX idx_api_keys_rotated_from ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL;
