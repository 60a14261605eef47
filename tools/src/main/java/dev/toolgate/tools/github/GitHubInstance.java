package dev.toolgate.tools.github;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * A GitHub instance: the public one, or a GitHub Enterprise server.
 *
 * @param apiUrl the URL of its REST API
 * @param authority the host of its web pages, with a port only if it is not the default
 */
public record GitHubInstance(URI apiUrl, String authority) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * The instance with this REST API: {@code https://api.github.com}, {@code https://github.example.com/api/v3} or
     * {@code https://api.example.ghe.com}.
     *
     * @throws IllegalArgumentException if the URL is malformed or not encrypted
     */
    public static GitHubInstance of(URI apiUrl) {
        String host = apiUrl.getHost();
        if (host == null || apiUrl.getRawUserInfo() != null || apiUrl.getRawQuery() != null) {
            throw new IllegalArgumentException("must be a URL such as https://github.example.com/api/v3");
        }
        if (!"https".equals(apiUrl.getScheme()) && !LOOPBACK.contains(host)) {
            throw new IllegalArgumentException("must begin with https://, because tokens are sent there");
        }
        String web = host.toLowerCase(Locale.ROOT).replaceFirst("^api\\.", "");
        return new GitHubInstance(
                URI.create(apiUrl.toString().replaceFirst("/+$", "")),
                apiUrl.getPort() < 0 ? web : web + ":" + apiUrl.getPort());
    }
}
