package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request and follows redirects. Every hop is checked like the first.
 *
 * @param domains the only hosts allowed; {@code null} allows all
 */
public record RedirectChain(
        AddressCheck addresses, @Nullable DomainPatterns domains, Hop hop) {
    static final int MAX_REDIRECTS = 5;

    /** The final response and its target. */
    public record FinalResponse(HttpTarget target, int redirects, Reply.Answer answer) {}

    FinalResponse run(OutgoingRequest first) throws ToolFailure {
        OutgoingRequest request = first;
        for (int redirects = 0; ; redirects++) {
            switch (send(request)) {
                case Reply.Answer answer -> {
                    return new FinalResponse(request.target(), redirects, answer);
                }
                case Reply.Redirect redirect -> {
                    if (redirects == MAX_REDIRECTS) {
                        throw failed("The server redirected more than " + MAX_REDIRECTS + " times; request the"
                                + " final address directly");
                    }
                    request = request.redirected(redirect.status(), next(request.target(), redirect));
                }
            }
        }
    }

    private Reply send(OutgoingRequest request) throws ToolFailure {
        Authority authority = request.target().authority();
        if (domains != null && !domains.contains(authority.host())) {
            throw new ToolFailure(
                    ErrorCode.CAPABILITY_DENIED,
                    "The host '" + authority.host() + "' is not among the allowed domains: "
                            + (domains.patterns().isEmpty()
                                    ? "there are none"
                                    : String.join(", ", domains.patterns())));
        }
        try {
            return hop.send(request, addresses.addresses(authority));
        } catch (CappedStream.TooLarge tooLarge) {
            throw failed("The response of '" + authority.host() + "' is larger than 10 MB and was aborted; ask for a"
                    + " smaller part of it");
        } catch (IOException broken) {
            throw failed("The request to '" + authority + "' failed: " + NetworkProblem.describe(broken));
        }
    }

    private static HttpTarget next(HttpTarget from, Reply.Redirect redirect) throws ToolFailure {
        try {
            return UrlCheck.follow(from, redirect.location());
        } catch (ToolFailure malformed) {
            throw failed("The server sent a redirect that cannot be followed: " + malformed.getMessage());
        }
    }

    private static ToolFailure failed(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }
}
