package dev.toolgate.runtime.tools.network;

import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fetches pages with the protection of {@code http_request}, for other tools. */
public final class GuardedFetch {
    private final GuardedRequests requests;

    public GuardedFetch(AddressPolicy policy, Resolver resolver) {
        this.requests = GuardedRequests.of(policy, resolver);
    }

    /**
     * What was fetched.
     *
     * @param url where it came from, after all redirects
     * @param contentType as the server says
     * @param text the body, unless it is binary
     */
    public record Page(String url, int status, String contentType, Optional<String> text) {}

    /**
     * Gets a page.
     *
     * @param domains the only hosts allowed, if somebody has set any
     * @param accept the kinds of content wanted, as the header of that name lists them
     */
    public Page get(String url, @Nullable List<String> domains, String accept, Duration limit)
            throws ToolFailure, InterruptedException {
        RedirectChain.Arrival arrival = requests.send(
                new OutgoingRequest(
                        UrlCheck.parse(url), "GET", RequestHeaders.of(Map.of("Accept", accept)), Optional.empty()),
                domains,
                limit);
        Reply.Answer answer = arrival.answer();
        String type = answer.header("content-type").orElse("application/octet-stream");
        return new Page(arrival.target().toString(), answer.status(), type, BodyText.of(answer.body(), type));
    }
}
