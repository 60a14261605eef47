package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows one answer from the message to its end. */
final class RunningAnswer {
    private final String conversation;
    private final ChatSocket connection;
    private final ChatScreen screen;
    private final ApprovalPrompt approvals;
    private final @Nullable Keyboard keyboard;
    private boolean hasStarted;
    private boolean isCancelled;

    RunningAnswer(
            String conversation,
            ChatSocket connection,
            ChatScreen screen,
            ApprovalPrompt approvals,
            @Nullable Keyboard keyboard) {
        this.conversation = conversation;
        this.connection = connection;
        this.screen = screen;
        this.approvals = approvals;
        this.keyboard = keyboard;
    }

    /** Goes on from what has happened; the end, if it was that. */
    Optional<AnswerEnd> take(Happening happening) throws IOException {
        return switch (happening) {
            case Happening.Said said -> {
                connection.next();
                yield isOurs(said.payload()) ? take(said) : Optional.empty();
            }
            case Happening.Gone gone -> Optional.of(new AnswerEnd.Cut(gone.why()));
            case Happening.Typed typed -> {
                screen.typed();
                approvals.typed(typed);
                yield Optional.empty();
            }
            case Happening.Interrupted _ -> interrupt();
        };
    }

    private Optional<AnswerEnd> take(Happening.Said said) throws IOException {
        JsonNode payload = said.payload();
        screen.show(said);
        if (screen.isGone()) {
            cancel();
            return Optional.of(new AnswerEnd.Failed(StandardOutput.LOST));
        }
        return switch (said.type()) {
            case "chat:stream-start" -> {
                hasStarted = true;
                yield Optional.empty();
            }
            case "chat:tool-confirm" -> {
                if (!isCancelled) {
                    approvals.ask(payload);
                }
                yield Optional.empty();
            }
            case "chat:tool-start", "chat:tool-result" -> {
                approvals.settled(payload.path("toolId").asString(""));
                yield Optional.empty();
            }
            case "chat:stream-end" -> Optional.of(ended(payload));
            case "chat:error" -> failed(payload);
            default -> Optional.empty();
        };
    }

    private AnswerEnd ended(JsonNode end) {
        JsonNode added = end.path("messages");
        if (!end.path("partial").asBoolean(false)) {
            if (end.path("stop_reason").asString("").equals("length")) {
                screen.remark("(The answer ends here because it reached its limit of tokens; --max-tokens sets it.)");
            }
            return new AnswerEnd.Said(added, AnswerEnd.Extent.WHOLE);
        }
        if (isCancelled) {
            screen.remark("(Stopped.)");
            return new AnswerEnd.Said(added, AnswerEnd.Extent.STOPPED);
        }
        return new AnswerEnd.Failed("the server has stopped the answer before its end; send the message again");
    }

    // Before the answer has begun, whatever is wrong is wrong with our message; later, only what names the answer ends
    // it.
    private Optional<AnswerEnd> failed(JsonNode error) {
        String said = Refusal.said(error);
        String sentence = said.isEmpty() ? "the server did not say what went wrong; send the message again" : said;
        if (hasStarted && !error.path("message_id").isString()) {
            screen.remark(sentence);
            return Optional.empty();
        }
        screen.rest();
        return Optional.of(new AnswerEnd.Failed(sentence));
    }

    private Optional<AnswerEnd> interrupt() throws IOException {
        if (isCancelled) {
            screen.rest();
            return Optional.of(new AnswerEnd.Left());
        }
        isCancelled = true;
        screen.rest();
        if (keyboard != null) {
            keyboard.forget();
        }
        approvals.end();
        cancel();
        return Optional.empty();
    }

    private void cancel() throws IOException {
        connection.send("chat:cancel", Json.MAPPER.createObjectNode().put("conversation_id", conversation));
    }

    private boolean isOurs(JsonNode payload) {
        return Stream.of("conversation_id", "conversationId")
                .map(payload::path)
                .filter(JsonNode::isString)
                .allMatch(id -> id.stringValue().equals(conversation));
    }
}
