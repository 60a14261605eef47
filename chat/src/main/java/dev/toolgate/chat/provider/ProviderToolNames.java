package dev.toolgate.chat.provider;

import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.tool.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Maps tool names to names that providers accept (letters, digits, dash, underscore; at most 64) and back; ours may be
 * {@code server/tool}. The mapping is deterministic.
 */
final class ProviderToolNames {
    private static final Pattern ACCEPTED = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int KEPT = 55;

    private final Map<String, String> ours = new HashMap<>();

    ProviderToolNames(List<ToolDefinition> tools) {
        tools.forEach(tool -> ours.put(toProvider(tool.toolName()), tool.toolName()));
    }

    static String toProvider(String name) {
        if (ACCEPTED.matcher(name).matches()) {
            return name;
        }
        String readable = name.replaceAll("[^a-zA-Z0-9_-]", "_");
        return readable.substring(0, Math.min(KEPT, readable.length())) + "_" + digest(name);
    }

    String fromProvider(String name) {
        return ours.getOrDefault(name, name);
    }

    private static String digest(String name) {
        return HexFormat.of().formatHex(Sha256.of(name.getBytes(StandardCharsets.UTF_8)), 0, 4);
    }
}
