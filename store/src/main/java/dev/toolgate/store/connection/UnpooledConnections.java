package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections outside the pool, for long-lived ones and for those that hold locks. */
@FunctionalInterface
public interface UnpooledConnections {

    /** Opens a connection, which the caller must close; takes a few seconds at most. */
    Connection open() throws SQLException;
}
