package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import org.jspecify.annotations.Nullable;

/** Accounts that could do harm even where nothing can be written. */
final class PowerfulAccount {
    private PowerfulAccount() {}

    static void refuse(DatabaseTarget.Accounts accounts, @Nullable String powers) throws ToolFailure {
        if (powers != null && !powers.isEmpty() && accounts == DatabaseTarget.Accounts.HARMLESS) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The account of this database connection may do more than read (" + powers
                            + "), so no query is run with it; use an account with SELECT only, or set"
                            + " allow_powerful_account of the connection");
        }
    }
}
