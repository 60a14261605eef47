-- What the models of a session have used up. A table of its own, because it changes with every answer and the bundle beside a
-- session does not; it goes with the session.
CREATE TABLE session_tokens (
    tenant_id  VARCHAR(100) NOT NULL,
    session_id VARCHAR(100) NOT NULL,
    tokens     BIGINT NOT NULL CHECK (tokens >= 0),
    PRIMARY KEY (tenant_id, session_id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
