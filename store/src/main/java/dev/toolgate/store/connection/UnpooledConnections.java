package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections that are not pooled, for those who keep one for good or hold locks with it. */
@FunctionalInterface
public interface UnpooledConnections {

    /** A new connection, which its user closes; takes a few seconds at most. */
    Connection open() throws SQLException;
}
