package dev.toolgate.runtime.network;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fetches pages with the protection of {@code http_request}, for other tools. */
public final class GuardedFetch {
    /** The charset that HTML declares itself; the HTML standard requires it within the first 1024 bytes. */
    private static final Pattern META_CHARSET =
            Pattern.compile("(?i)<meta[^>]{0,200}charset\\s*=\\s*[\"']?([A-Za-z0-9._:+-]{1,40})");

    private static final int META_BYTES = 1024;

    private final GuardedRequests requests;

    public GuardedFetch(AddressPolicy policy, Resolver resolver) {
        this.requests = GuardedRequests.of(policy, resolver);
    }

    /**
     * A fetched page.
     *
     * @param url the final address, after all redirects
     * @param contentType as declared by the server
     * @param text the body, unless it is binary
     */
    public record Page(String url, int status, String contentType, Optional<String> text) {}

    /**
     * Gets a page.
     *
     * @param domains the only hosts allowed; {@code null} allows all
     * @param accept the value of the Accept header
     */
    public Page get(String url, @Nullable List<String> domains, String accept, Duration limit)
            throws ToolFailure, InterruptedException {
        RedirectChain.FinalResponse response = requests.send(
                new OutgoingRequest(
                        UrlCheck.parse(url), "GET", RequestHeaders.of(Map.of("Accept", accept)), Optional.empty()),
                domains,
                limit);
        Reply.Answer answer = response.answer();
        String type = answer.header("content-type").orElse("application/octet-stream");
        return new Page(response.target().toString(), answer.status(), type, text(answer.body(), type));
    }

    private static Optional<String> text(byte[] body, String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("text/html") || lower.contains("charset")) {
            return BodyText.of(body, type);
        }
        Matcher meta = META_CHARSET.matcher(
                new String(body, 0, Math.min(body.length, META_BYTES), StandardCharsets.ISO_8859_1));
        return BodyText.of(body, meta.find() ? type + "; charset=" + meta.group(1) : type);
    }
}
