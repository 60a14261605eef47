package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses URLs strictly: everything ambiguous is refused. Messages never quote the URL, because it may contain a secret.
 */
public final class UrlCheck {
    private static final int MAX_LENGTH = 8192;

    private UrlCheck() {}

    /** Parses an absolute URL. */
    public static HttpTarget parse(String url) throws ToolFailure {
        return target(read(url));
    }

    /** Parses a Location header, which may be relative. */
    static HttpTarget follow(HttpTarget from, String location) throws ToolFailure {
        return target(read(from.toString()).resolve(read(location)));
    }

    private static URI read(String url) throws ToolFailure {
        if (url.length() > MAX_LENGTH) {
            throw invalid("is longer than " + MAX_LENGTH + " characters");
        }
        try {
            return new URI(url);
        } catch (URISyntaxException malformed) {
            throw invalid("is not valid at character " + (malformed.getIndex() + 1) + ": "
                    + malformed.getReason().toLowerCase(Locale.ROOT));
        }
    }

    private static HttpTarget target(URI uri) throws ToolFailure {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        int defaultPort =
                switch (scheme) {
                    case "http" -> 80;
                    case "https" -> 443;
                    default -> throw invalid("must begin with http:// or https://");
                };
        String authority = uri.getRawAuthority();
        if (authority == null) {
            throw invalid("has no host");
        }
        URI ascii = URI.create(uri.toASCIIString());
        return new HttpTarget(
                scheme,
                Authority.parse(authority, defaultPort),
                path(ascii.getRawPath()) + (ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery()));
    }

    private static String path(@Nullable String rawPath) {
        return rawPath == null || rawPath.isEmpty() ? "/" : rawPath;
    }

    private static ToolFailure invalid(String problem) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, "The URL " + problem);
    }
}
