package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import org.jspecify.annotations.Nullable;

/** Refuses accounts with privileges that are dangerous even in a read-only transaction. */
final class PrivilegedAccount {
    private PrivilegedAccount() {}

    static void refuse(DatabaseTarget.Accounts accounts, @Nullable String privileges) throws ToolFailure {
        if (privileges != null && !privileges.isEmpty() && accounts == DatabaseTarget.Accounts.HARMLESS) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The account of this database connection may do more than read (" + privileges
                            + "), so no query is run with it; use an account with SELECT only, or set"
                            + " allow_powerful_account of the connection");
        }
    }
}
