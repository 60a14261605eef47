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
 * Where a server is.
 *
 * @param ca certificates that are trusted in place of the usual ones, if any
 */
public record ServerAddress(String url, @Nullable Path ca) {
    private static final String USUAL = "http://127.0.0.1:8001";
    private static final String USUAL_WITH_TLS = "https://localhost:8001";

    /** A server with a certificate that is trusted everywhere, or with none. */
    public ServerAddress(String url) {
        this(url, null);
    }

    /** An address that was given, with the certificates that the environment names. */
    public static ServerAddress of(@Nullable String given) {
        return of(given, null);
    }

    /**
     * The address that was given, else the one in {@code TOOLGATE_URL}, else the usual one. Who has the server's own
     * settings in the environment reaches it and trusts its certificate without further ado.
     *
     * @param ca the certificates to trust, if given; else those in {@code TOOLGATE_CA}
     * @throws WrongUsage with one sentence that says what is wrong with it
     */
    public static ServerAddress of(@Nullable String given, @Nullable Path ca) {
        String certificate = environment("TOOLGATE_TLS_CERT");
        String set = environment("TOOLGATE_URL");
        String usual = certificate == null ? USUAL : USUAL_WITH_TLS;
        String text = given != null ? given : set == null ? usual : set;
        if (!isServer(text)) {
            throw new WrongUsage("the server's address must look like " + USUAL + ", without a name or password in it");
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
     * A client that trusts what this server is to be trusted by.
     *
     * @throws IOException with one sentence that says what is wrong with the certificates
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

    /** The same for a WebSocket. */
    public URI socket(String path) {
        return URI.create("ws" + url.substring("http".length()) + path);
    }

    /** Why nothing came back from there, in one sentence. */
    public IOException noAnswer(IOException cause) {
        if (cause instanceof SSLException) {
            return new IOException(
                    "the certificate of the server at " + url + " is not trusted (" + cause.getMessage()
                            + "); name the file with its certificate or its issuer's with --ca or TOOLGATE_CA",
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
