package dev.toolgate.mcp.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The HTTP headers of MCP, and the encoding of values that are not allowed in a header as they are. */
public final class McpHeaders {
    public static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    public static final String SESSION_ID = "Mcp-Session-Id";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";
    public static final String LAST_EVENT_ID = "Last-Event-ID";

    /** The prefix of headers that mirror an argument. */
    public static final String PARAMETER_PREFIX = "Mcp-Param-";

    private static final String ENCODED_PREFIX = "=?base64?";
    private static final String ENCODED_SUFFIX = "?=";

    private McpHeaders() {}

    /** The header value for a string: the string itself if it is a valid header value, encoded otherwise. */
    public static String encode(String value) {
        return isPlain(value)
                ? value
                : ENCODED_PREFIX
                        + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
                        + ENCODED_SUFFIX;
    }

    /** The string in a header value; null if it contains invalid characters or is wrongly encoded. */
    public static @Nullable String decode(String header) {
        for (int i = 0; i < header.length(); i++) {
            if (!isHeaderCharacter(header.charAt(i))) {
                return null;
            }
        }
        if (!isEncoded(header)) {
            return header;
        }
        String base64 = header.substring(ENCODED_PREFIX.length(), header.length() - ENCODED_SUFFIX.length());
        if (base64.length() % 4 != 0) { // the decoder below would accept missing padding
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException invalid) {
            return null;
        }
    }

    private static boolean isEncoded(String value) {
        return value.length() >= ENCODED_PREFIX.length() + ENCODED_SUFFIX.length()
                && value.startsWith(ENCODED_PREFIX)
                && value.endsWith(ENCODED_SUFFIX);
    }

    private static boolean isPlain(String value) {
        if (value.isEmpty() || isEncoded(value)) {
            return !isEncoded(value);
        }
        if (isSpace(value.charAt(0)) || isSpace(value.charAt(value.length() - 1))) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (!isHeaderCharacter(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isHeaderCharacter(char c) {
        return (c >= ' ' && c <= '~') || c == '\t';
    }
}
