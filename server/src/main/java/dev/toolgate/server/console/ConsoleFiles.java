package dev.toolgate.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The built files of the console on the class path, or a page that says that it was not built. A name is one part of a
 * path and has no separators, so that no other resource can be named.
 */
final class ConsoleFiles {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "woff2", "font/woff2",
            "png", "image/png");

    private ConsoleFiles() {}

    /** An encoding in which files are stored. */
    enum Encoding {
        BROTLI("br", ".br"),
        GZIP("gzip", ".gz");

        private final String token;
        private final String suffix;

        Encoding(String token, String suffix) {
            this.token = token;
            this.suffix = suffix;
        }

        /** The value in the headers. */
        String token() {
            return token;
        }
    }

    /**
     * A file to serve.
     *
     * @param encoding {@code null} if it is stored as it is
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only written
    record Asset(String mediaType, @Nullable Encoding encoding, byte[] bytes) {}

    /** The page that starts the console, with a placeholder for the nonce. */
    static String page() {
        byte[] built = resource("/console/index.html");
        byte[] page = built == null ? resource("/console-missing/index.html") : built;
        if (page == null) {
            throw new IllegalStateException("The file console-missing/index.html is missing; rebuild the server.");
        }
        return new String(page, StandardCharsets.UTF_8);
    }

    /**
     * A script, style or picture, in the first of the given encodings that it is stored in.
     *
     * @return empty if there is no such file
     */
    static Optional<Asset> asset(String name, Iterable<Encoding> accepted) {
        int dot = name.lastIndexOf('.');
        String mediaType = dot < 0 ? null : MEDIA_TYPES.get(name.substring(dot + 1));
        if (mediaType == null || !NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        for (Encoding encoding : accepted) {
            byte[] compressed = resource("/console/assets/" + name + encoding.suffix);
            if (compressed != null) {
                return Optional.of(new Asset(mediaType, encoding, compressed));
            }
        }
        byte[] plain = resource("/console/assets/" + name);
        byte[] found = plain == null ? resource("/console-missing/" + name) : plain;
        return found == null ? Optional.empty() : Optional.of(new Asset(mediaType, null, found));
    }

    private static byte @Nullable [] resource(String path) {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(path)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
