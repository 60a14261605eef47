package dev.toolgate.server.door.mcp;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.mcp.protocol.ElicitResult;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.gate.CallRequest;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the user of the client to approve a held call with a form. Only if the sender of the call may approve calls: the
 * host of an agent can answer forms by itself, so an answer proves no more than the key it was sent with. The state
 * that a client sends back is the id of the approval request, which belongs to exactly one call and can be answered
 * once.
 */
final class ApprovalForms {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalForms.class);
    private static final String KEY = "approval";
    private static final String APPROVE = "approve";
    private static final int MAX_SHOWN = 2000;

    private final ApprovalAnswerHandler answerHandler;

    ApprovalForms(ApprovalAnswerHandler answerHandler) {
        this.answerHandler = answerHandler;
    }

    /** Whether the client shows forms and its principal may answer approval requests. */
    static boolean canAsk(RequestContext context) {
        return McpCaller.of(context).principal().may(Right.ANSWER_APPROVALS)
                && context.canAsk(InputRequest.Kind.ELICIT_FORM);
    }

    /** Whether the client has sent a form back. */
    enum FormStatus {
        /** It was not sent yet. */
        NOT_SENT,
        /** The client has sent it back; a valid answer has been counted. */
        RETURNED
    }

    /** The form for a held call. */
    static Map<String, InputRequest> form(CallRequest request, Answer.Held held) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        schema.putObject("properties")
                .putObject(APPROVE)
                .put("type", "boolean")
                .put("title", "Approve")
                .put("description", "Whether the call may be made, this once");
        schema.putArray("required").add(APPROVE);
        String arguments = request.arguments().toString();
        String shown = arguments.length() <= MAX_SHOWN ? arguments : arguments.substring(0, MAX_SHOWN) + "…";
        return Map.of(
                KEY,
                InputRequest.form(
                        "May tool '" + request.toolName() + "' be called with " + shown + "? " + held.reason() + ".",
                        schema));
    }

    /** The state that the client sends back with the answer to a form. */
    static String state(Answer.Held held) {
        return held.question().toString();
    }

    /**
     * Handles a client's answer to the form of a held call. A form that was closed or declined leaves the request open.
     */
    FormStatus take(RequestContext context, InputAnswers answers, Answer.Held held) {
        if (answers.state() == null) {
            return FormStatus.NOT_SENT;
        }
        ElicitResult result = ElicitResult.read(answers.response(KEY));
        ObjectNode content = result == null || result.action() != ElicitResult.Action.ACCEPT ? null : result.content();
        if (content != null && content.path(APPROVE).isBoolean() && state(held).equals(answers.state())) {
            vote(
                    McpCaller.of(context),
                    held,
                    content.path(APPROVE).asBoolean() ? ApprovalDesk.Choice.APPROVE : ApprovalDesk.Choice.DENY);
        }
        return FormStatus.RETURNED;
    }

    private void vote(McpCaller caller, Answer.Held held, ApprovalDesk.Choice choice) {
        Principal principal = caller.principal();
        try {
            answerHandler.answer(
                    principal,
                    caller.correlationId(),
                    held.question(),
                    ApprovalDesk.Vote.once(choice, principal.name(), null));
        } catch (HttpFailure notAccepted) {
            LOG.info(
                    "The answer of {} to approval request {} was not accepted: {}",
                    principal.name(),
                    held.question(),
                    notAccepted.getMessage());
        }
    }
}
