package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.tool.ToolSpec;
import org.jspecify.annotations.Nullable;

/** Restricts a workflow to the tools its scope declares. */
public final class ScopeRule implements Rule {
    @Override
    public String name() {
        return "scope";
    }

    @Override
    public Decision decide(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        if (call.scope() == null || tool.permissionIn(call.scope()).allowed()) {
            return Decision.allow();
        }
        return new Decision.Deny(
                ErrorCode.PERMISSION_DENIED, "Tool '" + tool.name() + "' is not in the scope of this workflow");
    }

    @Override
    public Prospect prospect(Call call, ToolSpec<?> tool, @Nullable PolicyBundle session) {
        return call.scope() == null || tool.permissionIn(call.scope()).allowed() ? Prospect.ALLOWED : Prospect.DENIED;
    }
}
