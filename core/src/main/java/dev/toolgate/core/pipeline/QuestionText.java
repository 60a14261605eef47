package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.redact.Masked;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Builds the text of an approval request: what would happen, with secrets masked, nothing hidden and length bounded.
 */
final class QuestionText {
    private static final Logger LOG = LoggerFactory.getLogger(QuestionText.class);
    private static final Duration PREVIEW_TIME = Duration.ofSeconds(10);
    private static final int PREVIEW_BYTES = 64 * 1024;
    private static final int REASON_BYTES = 2 * 1024;

    private final Redactor redactor;

    QuestionText(Redactor redactor) {
        this.redactor = redactor;
    }

    Approvals.Question question(
            CallProgress progress, RequestKey key, Decision.NeedsApproval needed, ApprovalTerms terms)
            throws InterruptedException {
        String preview = preview(progress.bound(), progress.context());
        Redactor own = redactor.of(progress.call().caller().tenant());
        Masked<ObjectNode> arguments = own.mask(progress.call().arguments());
        return new Approvals.Question(
                progress.call(),
                key,
                progress.toolName(),
                ShownArguments.shortened(arguments.value()),
                arguments.characters(),
                readable(own, needed.reason(), REASON_BYTES),
                needed.approvalRuleId(),
                preview == null ? null : readable(own, preview, PREVIEW_BYTES),
                needed.causes().stream()
                        .map(cause ->
                                new Decision.Cause(readable(own, cause.reason(), REASON_BYTES), cause.approvalRuleId()))
                        .toList(),
                terms);
    }

    private static String readable(Redactor own, String text, int maxBytes) {
        return ShownArguments.shortened(own.mask(text).value(), maxBytes);
    }

    private static <A> @Nullable String preview(CallProgress.Bound<A> bound, ToolContext context)
            throws InterruptedException {
        Tool<A> tool = bound.tool();
        RunGuard guard = new RunGuard(context.call().cancellation(), PREVIEW_TIME);
        try (guard) {
            return tool.preview(bound.arguments(), context).orElse(null);
        } catch (ToolFailure wouldFail) {
            return "The call would fail: " + wouldFail.failure().message();
        } catch (InterruptedException stopped) {
            guard.rethrowUnlessStopped(stopped);
            return null;
        } catch (RuntimeException broken) {
            LOG.warn("The preview of tool '{}' failed", tool.spec().name(), broken);
            return null;
        }
    }
}
