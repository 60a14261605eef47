package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * Which approval requests a principal may see: all of the tenant for roles that answer or audit, an agent's own for the
 * agent, and those of their own conversations for a user.
 */
final class ApprovalVisibility {
    private ApprovalVisibility() {}

    static boolean maySee(Principal principal, ApprovalRequest request) {
        return seesAll(principal)
                || principal.mayActAs(request.caller().agent())
                || isOfOwnConversation(principal, request);
    }

    /** Whether the call comes from a conversation of this user; only conversations make calls in a user's name. */
    private static boolean isOfOwnConversation(Principal principal, ApprovalRequest request) {
        return principal.may(Right.ANSWER_OWN_QUESTIONS)
                && principal.name().equals(request.caller().principal())
                && principal.mayChatAs(request.caller().agent());
    }

    /** The principal to filter by: the user itself; {@code null} for no filter. */
    static @Nullable String principalFilter(Principal principal) {
        return principal.may(Right.ANSWER_OWN_QUESTIONS) ? principal.name() : null;
    }

    /** The agent to filter by; an agent can list only its own requests. */
    static @Nullable AgentId agentFilter(Principal principal, @Nullable AgentId wanted) {
        if (principal.agent() == null) {
            return wanted;
        }
        if (wanted != null && !wanted.equals(principal.agent())) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "Agent '" + principal.agent() + "' may see only its own approval requests.");
        }
        return principal.agent();
    }

    private static boolean seesAll(Principal principal) {
        return principal.may(Right.ANSWER_APPROVALS)
                || principal.may(Right.READ_AUDIT)
                || principal.may(Right.CALL_FOR_ANY_AGENT);
    }
}
