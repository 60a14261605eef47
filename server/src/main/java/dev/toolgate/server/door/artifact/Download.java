package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** The bytes of an artifact as an answer: all, some, or only that they are what the asker has already. */
final class Download {
    private Download() {}

    static Response of(Exchange exchange, FoundArtifact found) throws IOException {
        StoredArtifact facts = found.facts();
        Map<String, String> headers = headers(facts);
        if (exchange.header("If-None-Match")
                .filter(tags -> names(tags, etag(facts)))
                .isPresent()) {
            return new Response.Empty(304, headers);
        }
        Optional<String> range = exchange.header("Range")
                .filter(_ ->
                        exchange.header("If-Range").map(etag(facts)::equals).orElse(true));
        return switch (AskedRange.of(range, facts.size())) {
            case AskedRange.Whole _ -> part(exchange, found, 200, headers, ByteRange.whole(facts.size()));
            case AskedRange.Part part -> {
                headers.put(
                        "Content-Range",
                        "bytes " + part.range().first() + "-" + part.range().last() + "/" + facts.size());
                yield part(exchange, found, 206, headers, part.range());
            }
            case AskedRange.Beyond _ ->
                throw new HttpFailure(
                        416,
                        ErrorCode.INVALID_REQUEST,
                        "The artifact has " + facts.size() + " bytes, and the range begins after them.",
                        Map.of("Content-Range", "bytes */" + facts.size()),
                        JsonNodeFactory.instance.objectNode());
        };
    }

    // Whatever the bytes are, a browser saves them; if it shows them all the same, nothing in them runs.
    private static Map<String, String> headers(StoredArtifact facts) {
        Map<String, String> headers = new HashMap<>();
        headers.put("ETag", etag(facts));
        headers.put("Accept-Ranges", "bytes");
        headers.put("Cache-Control", "private, no-cache");
        headers.put("Content-Disposition", Attachment.named(facts.name()));
        headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
        return headers;
    }

    // Opened before the answer begins, so that what is wrong can still be said.
    private static Response part(
            Exchange exchange, FoundArtifact found, int status, Map<String, String> headers, ByteRange range)
            throws IOException {
        headers.put("Content-Length", Long.toString(range.length()));
        String type = found.facts().mediaType();
        if (exchange.isHead()) {
            return new Response.Stream(status, type, headers, _ -> {});
        }
        InputStream opened = found.open(range);
        return new Response.Stream(status, type, headers, out -> {
            try (opened) {
                if (opened.transferTo(out) < range.length()) {
                    throw new EOFException("The bytes of an artifact end early.");
                }
            }
        });
    }

    private static String etag(StoredArtifact facts) {
        return "\"" + facts.sha256() + "\"";
    }

    private static boolean names(String tags, String etag) {
        return Arrays.stream(tags.split(",", -1))
                .map(tag -> tag.strip().replaceFirst("^W/", ""))
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag));
    }
}
