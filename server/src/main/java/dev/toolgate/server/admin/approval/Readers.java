package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.HttpFailure;
import org.jspecify.annotations.Nullable;

/**
 * Who may see which questions: those who answer or audit see all, whoever acts for an agent sees that agent's, and a
 * user those of their own conversations.
 */
final class Readers {
    private Readers() {}

    static boolean maySee(Principal principal, ApprovalRequest request) {
        return seesAll(principal)
                || principal.mayActAs(request.caller().agent())
                || isOfOwnConversation(principal, request);
    }

    /** Whether a user's own conversation asks; only conversations make calls in a user's name. */
    private static boolean isOfOwnConversation(Principal principal, ApprovalRequest request) {
        return principal.may(Right.ANSWER_OWN_QUESTIONS)
                && principal.name().equals(request.caller().principal())
                && principal.mayChatAs(request.caller().agent());
    }

    /** Whose calls a list is about: a user's own; {@code null} for anybody's. */
    static @Nullable String callsOf(Principal principal) {
        return principal.may(Right.ANSWER_OWN_QUESTIONS) ? principal.name() : null;
    }

    /** The agent a list is about; an agent's own, whatever it asks for. */
    static @Nullable AgentId of(Principal principal, @Nullable AgentId wanted) {
        if (principal.agent() == null) {
            return wanted;
        }
        if (wanted != null && !wanted.equals(principal.agent())) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED, "Agent '" + principal.agent() + "' sees only questions of its own.");
        }
        return principal.agent();
    }

    private static boolean seesAll(Principal principal) {
        return principal.may(Right.ANSWER_APPROVALS)
                || principal.may(Right.READ_AUDIT)
                || principal.may(Right.CALL_FOR_ANY_AGENT);
    }
}
