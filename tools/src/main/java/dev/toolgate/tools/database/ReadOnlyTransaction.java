package dev.toolgate.tools.database;

import dev.toolgate.core.tool.ToolFailure;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A read-only transaction for one query. Writing is prevented by the server, not by parsing the SQL: the transaction is
 * read-only, the protocol accepts only queries, the account has no privileges that bypass it, and everything is rolled
 * back.
 */
interface ReadOnlyTransaction {
    /** Begins a read-only transaction and verifies it. */
    void begin(Duration limit) throws SQLException, ToolFailure;

    /** Runs the query and passes its rows to the reader until it has enough. */
    void read(String query, RowReader rows) throws SQLException, ToolFailure;

    /** The query plan, without running the query. */
    String plan(String query) throws SQLException, ToolFailure;

    /** Rolls back and resets the connection. */
    void end() throws SQLException;

    /** Cancels the running statement; called from another thread. */
    void cancel() throws SQLException;
}
