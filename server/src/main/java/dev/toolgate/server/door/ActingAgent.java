package dev.toolgate.server.door;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import java.util.Optional;

/** The agent of a request: that of its key, or the one an orchestrator names in a header. */
public final class ActingAgent {
    private static final String HEADER = "X-Agent-ID";

    private ActingAgent() {}

    /** The agent; empty if an orchestrator does not name one. */
    public static Optional<AgentId> named(Exchange exchange) {
        Principal principal = exchange.principal();
        Optional<AgentId> named = exchange.header(HEADER).map(ActingAgent::agent);
        if (named.isPresent() || principal.agent() != null) {
            return named.or(() -> Optional.ofNullable(principal.agent()));
        }
        if (!principal.may(Right.CALL_FOR_ANY_AGENT)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " may not use tools; send the key of an agent, or of an orchestrator with the agent's"
                            + " id in the header "
                            + HEADER + ".");
        }
        return Optional.empty();
    }

    /** The agent, which is required. */
    public static AgentId required(Exchange exchange) {
        return named(exchange)
                .orElseThrow(() -> HttpFailure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "This key does not belong to an agent; name the agent to act as in the header " + HEADER
                                + ", or send the key of an agent."));
    }

    private static AgentId agent(String id) {
        try {
            return new AgentId(id);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest("The header " + HEADER + " is not a valid agent id: " + wrong.getMessage());
        }
    }
}
