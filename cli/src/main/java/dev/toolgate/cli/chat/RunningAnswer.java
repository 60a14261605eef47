package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Handles the events of one answer until it ends. */
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

    /** Handles an event; returns the end of the answer, if this was it. */
    Optional<AnswerEnd> take(TerminalEvent event) throws IOException {
        return switch (event) {
            case TerminalEvent.ServerMessage message -> {
                connection.requestNext();
                yield isOurs(message.payload()) ? take(message) : Optional.empty();
            }
            case TerminalEvent.Disconnected disconnected ->
                Optional.of(new AnswerEnd.ConnectionLost(disconnected.why()));
            case TerminalEvent.LineTyped typed -> {
                screen.typed();
                approvals.typed(typed);
                yield Optional.empty();
            }
            case TerminalEvent.Interrupted _ -> interrupt();
        };
    }

    private Optional<AnswerEnd> take(TerminalEvent.ServerMessage message) throws IOException {
        JsonNode payload = message.payload();
        screen.show(message);
        if (screen.hasFailed()) {
            cancel();
            return Optional.of(new AnswerEnd.Failed(StandardOutput.LOST));
        }
        return switch (message.type()) {
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
                screen.remark("(The answer was truncated at its token limit; raise it with --max-tokens.)");
            }
            return new AnswerEnd.Answered(added, AnswerEnd.Extent.COMPLETE);
        }
        if (isCancelled) {
            screen.remark("(Stopped.)");
            return new AnswerEnd.Answered(added, AnswerEnd.Extent.STOPPED);
        }
        return new AnswerEnd.Failed("the server stopped the answer before its end; send the message again");
    }

    // Before the answer starts, any error is about this message; later, only an error with a message id ends the
    // answer.
    private Optional<AnswerEnd> failed(JsonNode error) {
        String said = Refusal.message(error);
        String sentence =
                said.isEmpty() ? "the server returned an error without a message; send the message again" : said;
        if (hasStarted && !error.path("message_id").isString()) {
            screen.remark(sentence);
            return Optional.empty();
        }
        screen.endLine();
        return Optional.of(new AnswerEnd.Failed(sentence));
    }

    private Optional<AnswerEnd> interrupt() throws IOException {
        if (isCancelled) {
            screen.endLine();
            return Optional.of(new AnswerEnd.Abandoned());
        }
        isCancelled = true;
        screen.endLine();
        if (keyboard != null) {
            keyboard.discardLine();
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
