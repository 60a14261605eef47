package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.util.PSQLException;

/**
 * PostgreSQL. The query is declared as a cursor, which the server accepts only for SELECT and VALUES without
 * data-modifying parts. The first query of the transaction is ours; after it, the transaction can no longer be made
 * writable.
 */
final class PostgresTransaction implements ReadOnlyTransaction {
    private static final String DECLARE = "DECLARE toolgate_rows NO SCROLL CURSOR FOR ";

    /** With parenthesised options, no word of the query can be parsed as an option. */
    private static final String EXPLAIN = "EXPLAIN (FORMAT TEXT) " + DECLARE;

    private static final int ROWS_AT_ONCE = 100;

    /**
     * Privileges that a read-only transaction does not restrict: files, programs, other backends, other connections.
     */
    private static final String PRIVILEGES_QUERY = """
            SELECT current_setting('transaction_read_only'), (SELECT string_agg(DISTINCT power, ', ') FROM (
                SELECT CASE WHEN r.rolsuper THEN 'superuser' WHEN r.rolreplication THEN 'replication' ELSE r.rolname END
                FROM pg_roles r
                WHERE pg_has_role(r.oid, 'MEMBER') AND (r.rolsuper OR r.rolreplication OR r.rolname IN (
                    'pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files', 'pg_signal_backend',
                    'rds_superuser', 'cloudsqlsuperuser', 'azure_pg_admin'))
                UNION ALL
                SELECT 'functions in ' || l.lanname FROM pg_language l
                WHERE NOT l.lanpltrusted AND l.lanname NOT IN ('internal', 'c') AND EXISTS (
                    SELECT FROM pg_proc p WHERE p.prolang = l.oid AND has_function_privilege(p.oid, 'EXECUTE'))
                UNION ALL
                SELECT 'extension ' || e.extname FROM pg_extension e
                WHERE e.extname IN ('dblink', 'http', 'pg_net') AND EXISTS (
                    SELECT FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
                    WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
                      AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND has_function_privilege(p.oid, 'EXECUTE'))
            ) AS found (power))""";

    private final Connection connection;
    private final DatabaseTarget.Accounts accounts;
    private volatile @Nullable Statement running;

    PostgresTransaction(Connection connection, DatabaseTarget.Accounts accounts) {
        this.connection = connection;
        this.accounts = accounts;
    }

    @Override
    public void begin(Duration limit) throws SQLException, ToolFailure {
        try (Statement statement = statement()) {
            statement.execute("BEGIN READ ONLY");
            statement.execute("SET LOCAL statement_timeout = " + limit.toMillis());
            try (ResultSet row = statement.executeQuery(PRIVILEGES_QUERY)) {
                row.next();
                if (!"on".equals(row.getString(1))) {
                    throw new SQLException("The transaction is not read-only.");
                }
                PrivilegedAccount.refuse(accounts, row.getString(2));
            }
        }
    }

    @Override
    public void read(String query, RowReader rows) throws SQLException, ToolFailure {
        try (Statement statement = statement()) {
            declare(statement, one(DECLARE + query));
            boolean first = true;
            int seen;
            do {
                seen = 0;
                try (ResultSet some = statement.executeQuery("FETCH FORWARD " + ROWS_AT_ONCE + " FROM toolgate_rows")) {
                    if (first) {
                        rows.columns(Cells.names(some.getMetaData()));
                        first = false;
                    }
                    while (some.next()) {
                        seen++;
                        if (rows.row(Cells.of(some)) == RowReader.Next.ENOUGH) {
                            return;
                        }
                    }
                }
            } while (seen == ROWS_AT_ONCE);
        }
    }

    private static void declare(Statement statement, String sql) throws SQLException {
        try {
            statement.execute(sql);
        } catch (PSQLException refused) {
            throw new QueryRefused(refused, DECLARE.length());
        }
    }

    @Override
    public String plan(String query) throws SQLException, ToolFailure {
        StringBuilder plan = new StringBuilder();
        try (Statement statement = statement();
                ResultSet lines = statement.executeQuery(one(EXPLAIN + query))) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        } catch (PSQLException refused) {
            throw new QueryRefused(refused, EXPLAIN.length());
        }
        return plan.toString();
    }

    /** Refuses multiple statements: the driver would split the text at semicolons and send them one by one. */
    private String one(String sql) throws SQLException, ToolFailure {
        if (connection
                        .unwrap(BaseConnection.class)
                        .createQuery(sql, false, false)
                        .query
                        .getSubqueries()
                != null) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'query' contains more than one statement; send them one by" + " one");
        }
        return sql;
    }

    @Override
    public void end() throws SQLException {
        try (Statement statement = statement()) {
            statement.execute("ROLLBACK");
            statement.execute("DISCARD ALL"); // resets settings, locks and LISTEN, which outlive a transaction
        }
    }

    @Override
    public void cancel() throws SQLException {
        Statement now = running;
        if (now != null) {
            now.cancel();
        }
    }

    private Statement statement() throws SQLException {
        Statement statement = connection.createStatement();
        statement.setEscapeProcessing(false);
        running = statement;
        return statement;
    }
}
