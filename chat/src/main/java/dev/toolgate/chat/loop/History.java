package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a history one that providers take: after an answer with tool calls come their results, one each. A
 * conversation that was cancelled, or a client that keeps words only, leaves others.
 */
final class History {
    private static final String NO_RESULT = "There is no result: the call was interrupted.";

    private History() {}

    static List<Message> mend(List<Message> messages) {
        List<Message> mended = new ArrayList<>();
        int at = 0;
        while (at < messages.size()) {
            Message message = messages.get(at++);
            if (message instanceof Message.Tool) {
                continue; // the result of no call
            }
            mended.add(message);
            if (message instanceof Message.Assistant assistant) {
                Map<String, Message.Tool> results = new HashMap<>();
                while (at < messages.size() && messages.get(at) instanceof Message.Tool result) {
                    results.putIfAbsent(result.toolCallId(), result);
                    at++;
                }
                for (ToolCall call : assistant.toolCalls()) {
                    Message.Tool missing = new Message.Tool(call.id(), call.name(), NO_RESULT, Message.Status.ERROR);
                    mended.add(results.getOrDefault(call.id(), missing));
                }
            }
        }
        return mended;
    }
}
