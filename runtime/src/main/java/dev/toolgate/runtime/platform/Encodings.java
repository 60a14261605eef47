package dev.toolgate.runtime.platform;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Looks up encodings by name, including common names that Java does not know. */
public final class Encodings {
    private Encodings() {}

    /** The encoding with this name. */
    public static Charset find(String name) throws ToolFailure {
        try {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "latin-1", "latin 1" -> StandardCharsets.ISO_8859_1;
                case "macroman", "mac-roman" -> Charset.forName("x-MacRoman");
                case "utf-8-sig" -> StandardCharsets.UTF_8;
                default -> Charset.forName(name);
            };
        } catch (IllegalArgumentException unknown) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'encoding': there is no encoding '" + VisibleText.line(name)
                            + "'; use for example utf-8, latin-1 or windows-1252");
        }
    }
}
