package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.ServerPreparedStatement;

/**
 * MariaDB and MySQL. The query is first prepared by the server, which accepts only a single statement and reports its
 * columns. A statement without result columns or without a query plan is not run; this includes all that would end the
 * transaction.
 */
final class MariaDbTransaction implements ReadOnlyTransaction {
    private static final int ROWS_AT_ONCE = 100;
    private static final Pattern GLOBAL_GRANT = Pattern.compile("GRANT (.+) ON \\*\\.\\* TO .*");
    private static final Set<String> DANGEROUS_PRIVILEGES = Set.of(
            "ALL PRIVILEGES",
            "FILE",
            "SUPER",
            "SHUTDOWN",
            "RELOAD",
            "CREATE USER",
            "CONNECTION ADMIN",
            "CONNECTION_ADMIN",
            "SYSTEM_VARIABLES_ADMIN",
            "SET USER",
            "BINLOG ADMIN",
            "READ_ONLY ADMIN");

    /** Statements with this prefix are not run; only queries and changes of rows have a plan. */
    private static final String EXPLAIN = "EXPLAIN FORMAT=TRADITIONAL ";

    /** Keeps the driver from seeing a leading comment that makes it execute the text without preparing it. */
    private static final String COMMENT_PREFIX = "/*toolgate*/ ";

    private final Connection connection;
    private final DatabaseTarget.Accounts accounts;
    private volatile @Nullable Statement running;
    private boolean unread;

    MariaDbTransaction(Connection connection, DatabaseTarget.Accounts accounts) {
        this.connection = connection;
        this.accounts = accounts;
    }

    @Override
    public void begin(Duration limit) throws SQLException, ToolFailure {
        boolean mysql = connection.getMetaData().getDatabaseProductName().equalsIgnoreCase("MySQL");
        try (Statement statement = connection.createStatement()) {
            running = statement;
            PrivilegedAccount.refuse(accounts, String.join(", ", privileges(statement)));
            statement.execute(
                    mysql
                            ? "SET SESSION max_execution_time = " + limit.toMillis()
                            : "SET SESSION max_statement_time = " + limit.toMillis() / 1000.0);
            statement.execute("SET SESSION TRANSACTION READ ONLY");
            statement.execute("START TRANSACTION READ ONLY");
            String variable = mysql ? "transaction_read_only" : "tx_read_only";
            try (ResultSet row = statement.executeQuery("SELECT @@session." + variable)) {
                if (!row.next() || row.getInt(1) != 1) {
                    throw new SQLException("The transaction is not read-only.");
                }
            }
        }
    }

    private static List<String> privileges(Statement statement) throws SQLException {
        Set<String> found = new TreeSet<>();
        try (ResultSet grants = statement.executeQuery("SHOW GRANTS")) {
            while (grants.next()) {
                Matcher global = GLOBAL_GRANT.matcher(grants.getString(1));
                if (global.matches()) {
                    Arrays.stream(global.group(1).split(","))
                            .map(String::strip)
                            .filter(DANGEROUS_PRIVILEGES::contains)
                            .forEach(found::add);
                }
            }
        }
        return new ArrayList<>(found);
    }

    @Override
    public void read(String query, RowReader rows) throws SQLException, ToolFailure {
        try (PreparedStatement statement = prepared(query)) {
            statement.setFetchSize(ROWS_AT_ONCE);
            try (ResultSet all = statement.executeQuery()) {
                rows.columns(Cells.names(all.getMetaData()));
                while (all.next()) {
                    if (rows.row(Cells.of(all)) == RowReader.Next.ENOUGH) {
                        unread = true; // the rest is still being sent; reading it could take very long
                        connection.abort(Runnable::run);
                        return;
                    }
                }
            }
        } catch (SQLException failed) {
            if (!unread) {
                throw failed;
            }
        }
    }

    @Override
    public String plan(String query) throws SQLException, ToolFailure {
        prepared(query).close();
        StringBuilder plan = new StringBuilder();
        try (PreparedStatement statement = returningRows(EXPLAIN + query)) {
            try (ResultSet lines = statement.executeQuery()) {
                List<String> names = Cells.names(lines.getMetaData());
                plan.append(String.join(" | ", names)).append('\n');
                while (lines.next()) {
                    plan.append(String.join(
                                    " | ",
                                    Cells.of(lines).stream()
                                            .map(String::valueOf)
                                            .toList()))
                            .append('\n');
                }
            }
        }
        return plan.toString();
    }

    // ANALYZE TABLE and similar statements return rows, but write and end the transaction; they have no plan.
    private PreparedStatement prepared(String query) throws SQLException, ToolFailure {
        PreparedStatement statement = returningRows(query);
        try {
            returningRows(EXPLAIN + query).close();
            return statement;
        } catch (SQLException | ToolFailure notQuery) {
            statement.close();
            throw notQuery;
        }
    }

    private PreparedStatement returningRows(String query) throws SQLException, ToolFailure {
        PreparedStatement statement = connection.prepareStatement(COMMENT_PREFIX + query);
        running = statement;
        ResultSetMetaData columns =
                statement.isWrapperFor(ServerPreparedStatement.class) ? statement.getMetaData() : null;
        if (columns == null || columns.getColumnCount() == 0) {
            statement.close();
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'query' is not a query: it returns no rows, so it was not run; send a SELECT");
        }
        return statement;
    }

    @Override
    public void end() throws SQLException {
        if (unread) {
            throw new SQLException("The connection has unread rows.");
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK");
        }
        connection.unwrap(org.mariadb.jdbc.Connection.class).reset(); // resets variables, locks and temporary tables
    }

    @Override
    public void cancel() throws SQLException {
        Statement now = running;
        if (now != null) {
            now.cancel();
        }
    }
}
