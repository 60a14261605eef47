package dev.toolgate.tools;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.ToolFailure;

/** A secret that a tool requires. */
public record NeededSecret(TenantId tenant, String name) {

    /** The current value; fails with how to configure it if it is missing. */
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
