package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server.
 *
 * @param ca certificates to trust instead of Java's default ones, if any
 */
public record ServerAddress(String url, @Nullable Path ca) {
    private static final String DEFAULT = "http://127.0.0.1:8001";
    private static final String DEFAULT_WITH_TLS = "https://localhost:8001";

    /** A server with a publicly trusted certificate, or without TLS. */
    public static ServerAddress at(String url) {
        return new ServerAddress(url, null);
    }

    /** A given address, with the certificates set in the environment. */
    public static ServerAddress of(@Nullable String given) {
        return of(given, null);
    }

    /**
     * The given address, or else {@code TOOLGATE_URL}, or else the default. With the server's own settings in the
     * environment, it is reached and its certificate is trusted without further options.
     *
     * @param ca the certificates to trust, if given; else those in {@code TOOLGATE_CA}
     * @throws WrongUsage if it is invalid
     */
    public static ServerAddress of(@Nullable String given, @Nullable Path ca) {
        String certificate = environment("TOOLGATE_TLS_CERT");
        String set = environment("TOOLGATE_URL");
        String defaultUrl = certificate == null ? DEFAULT : DEFAULT_WITH_TLS;
        String text = given != null ? given : set == null ? defaultUrl : set;
        if (!isServer(text)) {
            throw new WrongUsage(
                    "the server's address must look like " + DEFAULT + ", without a user name or password");
        }
        String trusted = environment("TOOLGATE_CA");
        String named = trusted == null ? certificate : trusted;
        return new ServerAddress(text.replaceFirst("/+$", ""), ca != null ? ca : named == null ? null : Path.of(named));
    }

    private static @Nullable String environment(String name) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    /**
     * An HTTP client that trusts the server's certificates.
     *
     * @throws IOException if the certificates cannot be read
     */
    public HttpClient.Builder client() throws IOException {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return ca == null || !url.startsWith("https") ? client : client.sslContext(TrustedCertificates.in(ca));
    }

    private static boolean isServer(String text) {
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return (scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null;
        } catch (IllegalArgumentException noUri) {
            return false;
        }
    }

    URI resolve(RequestTarget target) {
        return URI.create(url + target.text());
    }

    /** The WebSocket URL of a path. */
    public URI socket(String path) {
        return URI.create("ws" + url.substring("http".length()) + path);
    }

    /** The exception for a request without a response. */
    public IOException noAnswer(IOException cause) {
        if (cause instanceof SSLException) {
            return new IOException(
                    "the certificate of the server at " + url + " is not trusted (" + cause.getMessage()
                            + "); give the file with its certificate or its issuer's with --ca or TOOLGATE_CA",
                    cause);
        }
        return cause instanceof HttpTimeoutException
                ? new IOException(
                        "the server at " + url + " did not answer in time; see what 'toolgate health' says", cause)
                : new IOException("no server answers at " + url + "; start one with 'toolgate'", cause);
    }

    @Override
    public String toString() {
        return url;
    }
}
