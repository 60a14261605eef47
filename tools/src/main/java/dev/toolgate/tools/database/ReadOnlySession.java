package dev.toolgate.tools.database;

import dev.toolgate.core.tool.ToolFailure;
import java.sql.SQLException;
import java.time.Duration;

/**
 * One connection, used for one query that cannot change anything. What keeps it from doing so is the server's doing
 * and not a look at the SQL: the transaction only reads, the way the query is handed over takes nothing but queries,
 * the account can do nothing a transaction does not hold back, and everything is rolled back.
 */
interface ReadOnlySession {
    /** Begins a transaction that only reads, and makes sure of it. */
    void begin(Duration limit) throws SQLException, ToolFailure;

    /** Runs the query, and hands its rows over until the reader has enough. */
    void read(String query, RowReader rows) throws SQLException, ToolFailure;

    /** How the database would run the query; nothing is run. */
    String plan(String query) throws SQLException, ToolFailure;

    /** Undoes everything and leaves the connection as if it were new. */
    void end() throws SQLException;

    /** Stops what is running; from another thread. */
    void cancel() throws SQLException;
}
