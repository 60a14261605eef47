package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Repairs a history for providers, which require exactly one result for each tool call of an answer. Cancelled
 * conversations, and clients that store text only, leave gaps.
 */
final class History {
    private static final String NO_RESULT = "There is no result: the call was interrupted.";

    private History() {}

    static List<Message> repair(List<Message> messages) {
        List<Message> repaired = new ArrayList<>();
        int at = 0;
        while (at < messages.size()) {
            Message message = messages.get(at++);
            if (message instanceof Message.Tool) {
                continue; // a result without a call
            }
            repaired.add(message);
            if (message instanceof Message.Assistant assistant) {
                Map<String, Message.Tool> results = new HashMap<>();
                while (at < messages.size() && messages.get(at) instanceof Message.Tool result) {
                    results.putIfAbsent(result.toolCallId(), result);
                    at++;
                }
                for (ToolCall call : assistant.toolCalls()) {
                    Message.Tool missing = new Message.Tool(call.id(), call.name(), NO_RESULT, Message.Status.ERROR);
                    repaired.add(results.getOrDefault(call.id(), missing));
                }
            }
        }
        return repaired;
    }
}
