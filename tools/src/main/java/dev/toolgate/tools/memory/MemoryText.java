package dev.toolgate.tools.memory;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What keys, tags and values may look like: bounded, and such that they come back as they were. */
final class MemoryText {
    private static final int LONGEST_NAME = 200;
    private static final int MOST_TAGS = 50;

    private MemoryText() {}

    static String name(String field, String name) throws ToolFailure {
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw invalid("Field '" + field + "' must be 1 to " + LONGEST_NAME + " printable characters");
        }
        checkUnicode(field, name);
        return name;
    }

    static List<String> tags(@Nullable List<String> tags) throws ToolFailure {
        if (tags == null) {
            return List.of();
        }
        if (tags.size() > MOST_TAGS) {
            throw invalid("Field 'tags' must have at most " + MOST_TAGS + " items");
        }
        for (String tag : tags) {
            name("tags", tag);
        }
        return tags;
    }

    static String value(String value, int mostBytes) throws ToolFailure {
        checkUnicode("value", value);
        if (value.indexOf('\0') >= 0) {
            throw invalid("Field 'value' must not contain the character zero");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > mostBytes) {
            throw invalid("Field 'value' is larger than " + mostBytes
                    + " bytes; save it in parts, or as a file, and remember where it is");
        }
        return value;
    }

    private static void checkUnicode(String field, String text) throws ToolFailure {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw invalid("Field '" + field + "' contains half a character");
        }
    }

    static ToolFailure invalid(String message) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, message);
    }
}
