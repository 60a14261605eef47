package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.FoundArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.server.door.EntityTag;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** The response with an artifact's content: whole, a range, or 304 if the client has it already. */
final class Download {
    private Download() {}

    static Response of(Exchange exchange, FoundArtifact found) throws IOException {
        StoredArtifact facts = found.facts();
        Map<String, String> headers = headers(facts);
        if (tag(facts).isKnownTo(exchange)) {
            return new Response.Empty(304, headers);
        }
        Optional<String> range = exchange.header("Range").filter(_ -> exchange.header("If-Range")
                .map(tag(facts).text()::equals)
                .orElse(true));
        return switch (RequestedRange.of(range, facts.size())) {
            case RequestedRange.Whole _ -> part(exchange, found, 200, headers, ByteRange.whole(facts.size()));
            case RequestedRange.Part part -> {
                headers.put(
                        "Content-Range",
                        "bytes " + part.range().first() + "-" + part.range().last() + "/" + facts.size());
                yield part(exchange, found, 206, headers, part.range());
            }
            case RequestedRange.Unsatisfiable _ ->
                throw new HttpFailure(
                        416,
                        ErrorCode.INVALID_REQUEST,
                        "The artifact has " + facts.size() + " bytes; the range begins beyond its end.",
                        Map.of("Content-Range", "bytes */" + facts.size()),
                        JsonNodeFactory.instance.objectNode());
        };
    }

    // A browser must save the content; if it shows it anyway, no script in it may run.
    private static Map<String, String> headers(StoredArtifact facts) {
        Map<String, String> headers = new HashMap<>(tag(facts).headers());
        headers.put("Accept-Ranges", "bytes");
        headers.put("Content-Disposition", Attachment.named(facts.name()));
        headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
        return headers;
    }

    // Opened before the response begins, so that a failure can still be reported.
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
                    throw new EOFException("The content of an artifact is truncated.");
                }
            }
        });
    }

    private static EntityTag tag(StoredArtifact facts) {
        return new EntityTag("\"" + facts.sha256() + "\"");
    }
}
