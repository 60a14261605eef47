package dev.toolgate.server.admin.identity;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.identity.ConsoleLogin;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The caller's own identity as a JSON response.
 *
 * @param name the caller's name in the permission history and the audit log
 * @param displayName of a person who logged in through a provider
 * @param agents the agents the caller may chat as; only for the role user
 * @param rights what the caller may do
 * @param csrfToken to be sent in {@code X-CSRF-Token} with every change; only for a console log-in
 * @param expiresAt when the log-in expires; only for a console log-in
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record WhoAmI(
        String tenantId,
        String role,
        String name,
        @Nullable String displayName,
        @Nullable String agentId,
        @Nullable List<String> agents,
        List<String> rights,
        @Nullable String csrfToken,
        @Nullable Instant expiresAt) {

    static WhoAmI of(Principal principal) {
        return of(principal, null, null, null);
    }

    static WhoAmI of(ConsoleLogin session) {
        return of(session.principal(), session.displayName(), session.csrfToken(), session.until());
    }

    private static WhoAmI of(
            Principal principal, @Nullable String displayName, @Nullable String csrfToken, @Nullable Instant until) {
        AgentId agent = principal.agent();
        return new WhoAmI(
                principal.tenant().value(),
                principal.role().wireName(),
                principal.name(),
                displayName,
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

    /** Leaves out the CSRF token. */
    @Override
    public String toString() {
        return "WhoAmI " + name;
    }
}
