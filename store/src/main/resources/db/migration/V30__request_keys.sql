-- A key is taken by the intent of a call, or by its record where it has no intent.

-- The exact text: a repeated call is answered with what the first one was answered with.
ALTER TABLE request_keys ALTER COLUMN outcome TYPE TEXT;

-- Whether the intent took the request id, so that whoever closes it completes the key too.
ALTER TABLE tool_intents ADD COLUMN keyed BOOLEAN NOT NULL DEFAULT false;
