package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.HeadTail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The outcome of a tool call as sent to a model. */
record ToolReply(Message.Status status, String text, Map<String, Object> metadata) {
    // The gate truncates output already; this covers runners that do not.
    private static final int MAX_BYTES = 1024 * 1024;

    static ToolReply of(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> of(completed.output());
            case Outcome.Failed failed -> of(failed.failure(), Message.Status.ERROR);
            case Outcome.Refused refused -> of(refused.failure(), Message.Status.DENIED);
        };
    }

    /** The result of a cancelled call. */
    static ToolReply cancelled() {
        return of(
                Failure.of(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The call was cancelled before it ended; what it had done by then stays done."),
                Message.Status.ERROR);
    }

    private static ToolReply of(Output output) {
        Map<String, Object> metadata = new HashMap<>(output.metadata());
        List<String> artifacts = output.artifacts().stream()
                .map(Artifact::uri)
                .filter(Objects::nonNull)
                .toList();
        if (!artifacts.isEmpty()) {
            metadata.put("artifacts", artifacts);
        }
        Message.Status status =
                switch (output.verdict()) {
                    case OK -> Message.Status.SUCCESS;
                    case ERROR -> Message.Status.ERROR;
                };
        return new ToolReply(status, HeadTail.fit(output.text(), MAX_BYTES), metadata);
    }

    private static ToolReply of(Failure failure, Message.Status status) {
        Map<String, Object> metadata = new HashMap<>(failure.facts());
        metadata.put("code", failure.code().name());
        metadata.put("retryable", failure.code().retryable());
        Output partial = failure.partial();
        String text = failure.code().name() + ": " + failure.message();
        String whole = partial == null || partial.text().isEmpty() ? text : text + "\n" + partial.text();
        return new ToolReply(status, HeadTail.fit(whole, MAX_BYTES), metadata);
    }
}
