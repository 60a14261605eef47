package dev.toolgate.tools;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.ToolFailure;

/** A secret that a tool cannot do without. */
public record NeededSecret(TenantId tenant, String name) {

    /** The secret as it is now, or a failure that says how to provide it. */
    public String from(Secrets secrets) throws ToolFailure {
        try {
            return secrets.find(tenant, name)
                    .orElseThrow(() -> new ToolFailure(
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "The secret " + name + " is not set; set secrets." + tenant + "." + name
                                    + " in toolgate.yaml to env:VARIABLE or file:/path"));
        } catch (Unavailable unreachable) {
            throw new ToolFailure(ErrorCode.SERVICE_UNAVAILABLE, String.valueOf(unreachable.getMessage()));
        }
    }
}
