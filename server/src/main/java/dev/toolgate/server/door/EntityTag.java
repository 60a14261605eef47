package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/**
 * The entity tag of a response that clients may cache and revalidate.
 *
 * @param text including its quotation marks
 */
public record EntityTag(String text) {
    private static final int DIGEST_BYTES = 12;

    /**
     * The tag of a response that depends only on the given facts.
     *
     * @param prefix a readable beginning of the tag
     */
    public static EntityTag of(String prefix, String facts) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(facts.getBytes(StandardCharsets.UTF_8));
            return new EntityTag("\"" + prefix + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES) + "\"");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256.", impossible);
        }
    }

    /** Whether the client already has the response with this tag. */
    public boolean isKnownTo(Exchange exchange) {
        return exchange.header("If-None-Match").filter(this::isAmong).isPresent();
    }

    private boolean isAmong(String tags) {
        return Arrays.stream(tags.split(",", -1))
                .map(tag -> tag.strip().replaceFirst("^W/", ""))
                .anyMatch(tag -> tag.equals("*") || tag.equals(text));
    }

    /** The headers of the response: only the client may cache it, and must revalidate it each time. */
    public Map<String, String> headers() {
        return Map.of("ETag", text, "Cache-Control", "private, no-cache");
    }
}
