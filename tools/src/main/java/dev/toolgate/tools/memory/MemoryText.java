package dev.toolgate.tools.memory;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates keys, tags and values: bounded in size, and storable without loss. */
final class MemoryText {
    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_TAGS = 50;

    private MemoryText() {}

    static String name(String field, String name) throws ToolFailure {
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw invalid("Field '" + field + "' must be 1 to " + MAX_NAME_LENGTH + " printable characters");
        }
        checkUnicode(field, name);
        return name;
    }

    static List<String> tags(@Nullable List<String> tags) throws ToolFailure {
        if (tags == null) {
            return List.of();
        }
        if (tags.size() > MAX_TAGS) {
            throw invalid("Field 'tags' must have at most " + MAX_TAGS + " items");
        }
        for (String tag : tags) {
            name("tags", tag);
        }
        return tags;
    }

    static String value(String value, int maxBytes) throws ToolFailure {
        checkUnicode("value", value);
        if (value.indexOf('\0') >= 0) {
            throw invalid("Field 'value' must not contain a NUL character");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            throw invalid("Field 'value' is larger than " + maxBytes
                    + " bytes; save it in parts, or write a file and save its path");
        }
        return value;
    }

    private static void checkUnicode(String field, String text) throws ToolFailure {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw invalid("Field '" + field + "' contains an unpaired surrogate");
        }
    }

    static ToolFailure invalid(String message) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, message);
    }
}
