package dev.toolgate.springai;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.util.StringUtils;

/**
 * The ids of the calls that a model asks for at once. A tool callback is not told which of them it answers, so the id is found
 * by tool and arguments; calls that are equal in both get the ids in their order, and a repeated attempt the last one.
 */
final class CallIds {
    private static final String NO_ARGUMENTS = "{}"; // as tool callbacks get them

    private record Key(String tool, String arguments) {}

    private final Map<Key, Deque<String>> ids = new HashMap<>();

    CallIds(List<AssistantMessage.ToolCall> calls) {
        for (AssistantMessage.ToolCall call : calls) {
            String arguments = StringUtils.hasText(call.arguments()) ? call.arguments() : NO_ARGUMENTS;
            ids.computeIfAbsent(new Key(call.name(), arguments), key -> new ArrayDeque<>())
                    .add(call.id());
        }
    }

    synchronized @Nullable String next(String tool, String arguments) {
        Deque<String> left = ids.get(new Key(tool, arguments));
        if (left == null) {
            return null;
        }
        return left.size() > 1 ? left.poll() : left.peek();
    }
}
