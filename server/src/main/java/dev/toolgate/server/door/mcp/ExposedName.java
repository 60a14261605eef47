package dev.toolgate.server.door.mcp;

import dev.toolgate.core.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a tool as MCP clients see it. Clients accept less than the protocol allows: some confuse names that
 * differ only in a dot or a slash, others drop long ones. So a name consists of at most 48 letters, digits, {@code _}
 * and {@code -}. It depends only on the tool's own name, so that it reveals nothing about other tools.
 */
final class ExposedName {
    static final int MAX_LENGTH = 48;
    private static final int HASH_DIGITS = 10;
    private static final String SEPARATOR = "__";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*");
    private static final Pattern NOT_PLAIN = Pattern.compile("[^A-Za-z0-9-]+");

    private ExposedName() {}

    /**
     * The name of the tool with this canonical name. A slash becomes two underscores; a name that cannot be kept is
     * shortened and gets a hash.
     */
    static String of(String canonical) {
        int slash = canonical.indexOf('/');
        String kept =
                slash < 0 ? canonical : canonical.substring(0, slash) + SEPARATOR + canonical.substring(slash + 1);
        boolean exact = kept.length() <= MAX_LENGTH
                && (slash < 0
                        ? isPlain(canonical)
                        : isPlain(canonical.substring(0, slash)) && isPlain(canonical.substring(slash + 1)));
        return exact ? kept : hashed(canonical);
    }

    /** The canonical name that has this name; null if only its hash is known. */
    static @Nullable String canonical(String name) {
        String canonical = name.replaceFirst(SEPARATOR, "/");
        return of(canonical).equals(name) ? canonical : null;
    }

    // Without two underscores in a row, at the beginning or at the end, so that the separator of server and tool is
    // unambiguous.
    private static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }

    private static String hashed(String canonical) {
        String hash = HexFormat.of()
                .formatHex(Sha256.of(canonical.getBytes(StandardCharsets.UTF_8)))
                .substring(0, HASH_DIGITS);
        String readable = NOT_PLAIN.matcher(canonical).replaceAll("_");
        int length = Math.min(readable.length(), MAX_LENGTH - HASH_DIGITS - 2);
        return readable.substring(0, length) + "-" + hash + "_"; // no exact name ends with an underscore
    }
}
