package dev.toolgate.store.audit.write;

import java.sql.SQLException;

/** The connection broke while the database was told to commit, so nobody knows whether it did. */
final class CommitUnknown extends SQLException {
    private static final long serialVersionUID = 1;

    CommitUnknown(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
