package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The principal that sent an MCP request, and the agent it acts as.
 *
 * @param agent the agent named in a header; {@code null} if none
 * @param session the policy session named in a header; {@code null} if none
 * @param traceparent the value of the header; {@code null} if it was not sent
 * @param listing how tools are listed to the client
 */
record McpCaller(
        Principal principal,
        @Nullable AgentId agent,
        @Nullable SessionId session,
        String correlationId,
        @Nullable String traceparent,
        ToolListMode listing) {
    static final String AGENT_HEADER = "X-Agent-ID";
    static final String SESSION_HEADER = "X-Session-ID";

    // No id contains it.
    private static final char SEPARATOR = '\n';

    static McpCaller of(Exchange exchange) {
        return new McpCaller(
                exchange.principal(),
                header(exchange, AGENT_HEADER, AgentId::new).orElse(null),
                header(exchange, SESSION_HEADER, SessionId::new).orElse(null),
                exchange.correlationId(),
                exchange.header("traceparent").orElse(null),
                ToolListMode.of(exchange.query().text(ToolListMode.PARAMETER)));
    }

    static McpCaller of(RequestContext context) {
        return (McpCaller) context.caller();
    }

    private static <T> Optional<T> header(Exchange exchange, String name, Function<String, T> read) {
        try {
            return exchange.header(name).map(read);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest("The header " + name + " has no id: " + wrong.getMessage());
        }
    }

    /** The same caller, with the two tools for finding and calling tools as its list. */
    McpCaller searching() {
        return new McpCaller(principal, agent, session, correlationId, traceparent, ToolListMode.SEARCH);
    }

    TenantId tenant() {
        return principal.tenant();
    }

    /** The agent of the header or else of the principal; {@code null} if there is neither. */
    @Nullable
    AgentId named() {
        return agent == null ? principal.agent() : agent;
    }

    /**
     * Identifies the caller; protocol sessions are bound to it. Tokens of one name may have different roles and agents.
     */
    String key() {
        AgentId own = principal.agent();
        return tenant().value()
                + SEPARATOR
                + principal.name()
                + SEPARATOR
                + principal.role()
                + SEPARATOR
                + (own == null ? "" : own.value())
                + SEPARATOR
                + (agent == null ? "" : agent.value())
                + SEPARATOR
                + (session == null ? "" : session.value())
                + (listing == ToolListMode.SEARCH ? SEPARATOR + "search" : "");
    }

    /** The tenant of a key. */
    static TenantId tenantOf(String key) {
        return new TenantId(key.substring(0, key.indexOf(SEPARATOR)));
    }
}
