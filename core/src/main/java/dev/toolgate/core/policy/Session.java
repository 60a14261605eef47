package dev.toolgate.core.policy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.WorkspaceId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy session: its bundle, agent and workspace.
 *
 * @param agent the only agent that may use it; {@code null} for any
 * @param workspace the only workspace its calls may use; {@code null} for any
 * @param endedAt {@code null} while it is open
 */
public record Session(
        PolicyBundle bundle,
        @Nullable AgentId agent,
        @Nullable WorkspaceId workspace,
        @Nullable Instant endedAt) {

    /** An open session for any agent. */
    public static Session under(PolicyBundle bundle) {
        return new Session(bundle, null, null, null);
    }

    /** Why this caller cannot use it now; empty if it can. To other agents it appears not to exist. */
    public Optional<Failure> refusal(Caller caller, Instant now) {
        if (agent != null && !agent.equals(caller.agent())) {
            return Optional.of(notFound(String.valueOf(caller.session())));
        }
        if (endedAt != null) {
            return refuse(ErrorCode.SESSION_EXPIRED, "Session '" + caller.session() + "' was ended at " + endedAt);
        }
        if (!bundle.sessionId().equals(caller.session())) {
            return refuse(
                    ErrorCode.POLICY_BUNDLE_INVALID,
                    "The policy bundle of session '" + caller.session() + "' belongs to another session");
        }
        return bundle.refusal(caller.tenant(), now).or(() -> wrongWorkspace(caller));
    }

    private Optional<Failure> wrongWorkspace(Caller caller) {
        return workspace == null
                        || caller.workspace().equals(workspace)
                        || caller.workspace().equals(WorkspaceId.DEFAULT)
                ? Optional.empty()
                : refuse(
                        ErrorCode.CAPABILITY_DENIED,
                        "Session '" + caller.session() + "' works in workspace '" + workspace + "' and not in '"
                                + caller.workspace() + "'");
    }

    /** The failure for a session that does not exist. */
    public static Failure notFound(String session) {
        return Failure.of(ErrorCode.SESSION_NOT_FOUND, "There is no session '" + session + "'");
    }

    private static Optional<Failure> refuse(ErrorCode code, String message) {
        return Optional.of(Failure.of(code, message));
    }
}
