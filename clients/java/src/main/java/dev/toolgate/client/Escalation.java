package dev.toolgate.client;

import dev.toolgate.client.model.ToolResult;

/** Gets done what an agent may not do itself, for example by asking an orchestrator. */
@FunctionalInterface
public interface Escalation {
    /**
     * Gets the call done.
     *
     * @throws DeniedException if that is not permitted either
     */
    ToolResult escalate(Call call, DeniedException denied);

    /**
     * Has another agent make the call, under a request id of its own.
     *
     * @param orchestrator a client whose key may act for that agent
     */
    static Escalation to(Toolgate orchestrator, String agent) {
        return (call, denied) -> orchestrator.execute(call.as(agent).withNewId());
    }
}
