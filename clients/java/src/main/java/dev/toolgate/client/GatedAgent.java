package dev.toolgate.client;

import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent whose tools are behind the gate: a base class for agents of your own. A denied call falls back to an
 * alternative that the agent may use; a critical one is escalated. A call that a person refused is never escalated.
 */
public class GatedAgent {
    private final Toolgate toolgate;
    private final String id;
    private final @Nullable Escalation escalation;

    /** An agent that escalates nothing. */
    public GatedAgent(Toolgate toolgate, String id) {
        this.toolgate = toolgate;
        this.id = id;
        this.escalation = null;
    }

    /** An agent whose critical calls are escalated. */
    public GatedAgent(Toolgate toolgate, String id, Escalation escalation) {
        this.toolgate = toolgate;
        this.id = id;
        this.escalation = escalation;
    }

    /** The id of this agent. */
    public final String id() {
        return id;
    }

    /** Uses a tool. */
    public final ToolResult use(String tool, Map<String, ?> parameters) {
        return use(Call.of(tool, parameters));
    }

    /** Makes a call, or if it is denied the first of the alternatives that this agent may use. */
    public final ToolResult use(Call call, Call... alternatives) {
        try {
            return attempt(call, alternatives);
        } catch (DeniedException denied) {
            return onDenied(call, denied);
        }
    }

    /** As {@link #use(Call, Call...)}, for a call that the task depends on: if nothing else helps it is escalated. */
    public final ToolResult useCritical(Call call, Call... alternatives) {
        try {
            return attempt(call, alternatives);
        } catch (ApprovalDeniedException | ApprovalTimeoutException answered) {
            return onDenied(call, answered);
        } catch (DeniedException denied) {
            return escalate(call, denied);
        }
    }

    /** The tools that this agent may use now. */
    public final List<Tool> availableTools() {
        return toolgate.tools(id);
    }

    /** Escalates a critical call that was denied; without an escalation it is handled like any other. */
    protected ToolResult escalate(Call call, DeniedException denied) {
        return escalation == null ? onDenied(call, denied) : escalation.escalate(call.as(id), denied);
    }

    /** Handles a denied call; rethrows the exception unless a subclass overrides it. */
    protected ToolResult onDenied(Call call, DeniedException denied) {
        throw denied;
    }

    private ToolResult attempt(Call call, Call... alternatives) {
        try {
            return toolgate.execute(call.as(id));
        } catch (DeniedException denied) {
            for (Call alternative : alternatives) {
                if (denied.allowedTools().contains(alternative.tool())) {
                    return toolgate.execute(alternative.as(id));
                }
            }
            throw denied;
        }
    }
}
