package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.identity.OpenSession;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows of somebody, for themselves.
 *
 * @param name how the history and the audit log call them
 * @param agents the agents they may chat as; only with the role user
 * @param rights what they may do
 * @param csrfToken to be sent back in {@code X-CSRF-Token} with every change; only for a console session
 * @param expiresAt when they have to log in again; only for a console session
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record WhoAmI(
        String tenantId,
        String role,
        String name,
        @Nullable String agentId,
        @Nullable List<String> agents,
        List<String> rights,
        @Nullable String csrfToken,
        @Nullable Instant expiresAt) {

    static WhoAmI of(Principal principal) {
        return of(principal, null, null);
    }

    static WhoAmI of(OpenSession session) {
        return of(session.principal(), session.csrfToken(), session.until());
    }

    private static WhoAmI of(Principal principal, @Nullable String csrfToken, @Nullable Instant until) {
        AgentId agent = principal.agent();
        return new WhoAmI(
                principal.tenant().value(),
                principal.role().wireName(),
                principal.name(),
                agent == null ? null : agent.value(),
                principal.role() == Role.USER
                        ? principal.chatsAs().stream()
                                .map(AgentId::value)
                                .sorted()
                                .toList()
                        : null,
                Arrays.stream(Right.values())
                        .filter(principal::may)
                        .map(right -> right.name().toLowerCase(Locale.ROOT))
                        .toList(),
                csrfToken,
                until);
    }

    /** Says nothing of the token. */
    @Override
    public String toString() {
        return "WhoAmI " + name;
    }
}
