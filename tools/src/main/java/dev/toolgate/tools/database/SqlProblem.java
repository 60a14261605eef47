package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Converts SQL exceptions to failures for the caller. */
final class SqlProblem {
    private SqlProblem() {}

    static ToolFailure of(SQLException problem, String connection) {
        String state = problem.getSQLState() == null ? "" : problem.getSQLState();
        if (problem instanceof SQLTransientConnectionException && problem.getCause() == null) {
            return new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "All connections to the database '" + connection + "' are in use; try again in a moment");
        }
        if (state.equals("57014") || state.equals("70100") || problem instanceof SQLTimeoutException) {
            return new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "The query ran longer than the database connection allows;" + " narrow it down");
        }
        boolean unreachable = state.startsWith("08") || state.startsWith("28") || state.startsWith("57P");
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                (unreachable
                                ? "The database '" + connection + "' cannot be used: "
                                : "The database refused the query: ")
                        + message(problem));
    }

    private static String message(SQLException problem) {
        if (problem instanceof QueryRefused refused) {
            return message(refused.byServer(), refused.position() > 0 ? " at character " + refused.position() : "");
        }
        if (problem instanceof PSQLException postgres) {
            return message(postgres, "");
        }
        Throwable cause = problem;
        while (cause.getCause() instanceof SQLException deeper) {
            cause = deeper;
        }
        return String.valueOf(cause.getMessage());
    }

    private static String message(PSQLException problem, String place) {
        ServerErrorMessage server = problem.getServerErrorMessage();
        return server == null
                ? String.valueOf(problem.getMessage())
                : server.getMessage() + place + (server.getHint() == null ? "" : " (" + server.getHint() + ")");
    }
}
