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
 * The ids of the calls that a model asks for at once. A tool callback does not receive the id of its call, so the id is
 * found by tool and arguments; calls that are equal in both get the ids in their order, and a retry gets the last one.
 */
final class CallIds {
    private static final String NO_ARGUMENTS = "{}"; // as passed to tool callbacks

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
