package dev.toolgate.store.audit.write;

import java.sql.SQLException;

/** The connection was lost during a commit, so it is unknown whether it succeeded. */
final class CommitUnknown extends SQLException {
    private static final long serialVersionUID = 1;

    CommitUnknown(SQLException cause) {
        super(cause.getMessage(), cause.getSQLState(), cause);
    }
}
