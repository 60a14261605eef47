package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.store.upstream.AccountSubject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines for whom a principal may connect accounts: a person for themselves, and a principal that may act as an
 * agent for that agent.
 */
final class AccountOwner {
    private AccountOwner() {}

    /**
     * The owner of an account that the principal connects.
     *
     * @param agent the agent named in the request; null for the principal's own account
     * @throws HttpFailure if the principal may not do that
     */
    static AccountSubject of(Principal principal, @Nullable AgentId agent) {
        return switch (principal.role()) {
            case USER -> {
                // People who chat as the same agent have an account each.
                if (agent != null && !principal.mayChatAs(agent)) {
                    throw forbidden(principal, agent);
                }
                yield new AccountSubject.Person(principal.name());
            }
            case ADMIN ->
                agent == null ? new AccountSubject.Person(principal.name()) : new AccountSubject.OfAgent(agent);
            case AGENT, ORCHESTRATOR -> {
                AgentId acting = agent == null ? principal.agent() : agent;
                if (acting == null) {
                    throw new BadRequest("Name the agent in 'agent_id'; this role has no account of its own.");
                }
                if (!principal.mayActAs(acting)) {
                    throw forbidden(principal, acting);
                }
                yield new AccountSubject.OfAgent(acting);
            }
            case OPERATOR, AUDITOR ->
                throw HttpFailure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The role " + principal.role().wireName() + " uses no tools, so it has no accounts.");
        };
    }

    /** Whose accounts a principal may see and disconnect without the right to manage servers. */
    static Optional<AccountSubject> own(Principal principal) {
        return switch (principal.role()) {
            case USER, ADMIN -> Optional.of(new AccountSubject.Person(principal.name()));
            case AGENT -> Optional.ofNullable(principal.agent()).map(AccountSubject.OfAgent::new);
            case ORCHESTRATOR, OPERATOR, AUDITOR -> Optional.empty();
        };
    }

    /** Whether a principal may disconnect this account, or see it. */
    static boolean owns(Principal principal, String subject) {
        return principal.may(Right.MANAGE_SERVERS)
                || own(principal).filter(own -> own.text().equals(subject)).isPresent();
    }

    private static HttpFailure forbidden(Principal principal, AgentId agent) {
        return HttpFailure.of(
                ErrorCode.PERMISSION_DENIED, "'" + principal.name() + "' may not act for agent '" + agent + "'.");
    }
}
