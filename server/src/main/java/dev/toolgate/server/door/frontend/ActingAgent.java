package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import java.util.Optional;

/** As which agent a request is made: the agent of its key, or the one an orchestrator names in a header. */
final class ActingAgent {
    private static final String HEADER = "X-Agent-ID";

    private ActingAgent() {}

    /** The agent; empty if an orchestrator names none. */
    static Optional<AgentId> named(Exchange exchange) {
        Principal principal = exchange.principal();
        Optional<AgentId> named = exchange.header(HEADER).map(ActingAgent::agent);
        if (named.isPresent() || principal.agent() != null) {
            return named.or(() -> Optional.ofNullable(principal.agent()));
        }
        if (!principal.may(Right.CALL_FOR_ANY_AGENT)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " uses no tools; send the key of an agent, or that of an"
                            + " orchestrator with the agent's id in the header " + HEADER + ".");
        }
        return Optional.empty();
    }

    /** The agent, who must be known. */
    static AgentId required(Exchange exchange) {
        return named(exchange)
                .orElseThrow(() -> HttpFailure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "This key is no agent's; name the agent to act for in the header " + HEADER
                                + ", or send the key of an agent."));
    }

    private static AgentId agent(String id) {
        try {
            return new AgentId(id);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest("The header " + HEADER + " names no agent: " + wrong.getMessage());
        }
    }
}
