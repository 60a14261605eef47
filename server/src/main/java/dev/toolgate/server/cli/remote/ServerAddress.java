package dev.toolgate.server.cli.remote;

import dev.toolgate.server.cli.WrongUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a server is. */
record ServerAddress(String url) {
    private static final String USUAL = "http://127.0.0.1:8001";

    /**
     * The address that was given, else the one in {@code TOOLGATE_URL}, else the usual one.
     *
     * @throws WrongUsage with one sentence that says what is wrong with it
     */
    static ServerAddress of(@Nullable String given) {
        String set = System.getenv("TOOLGATE_URL");
        String text = given != null ? given : set == null || set.isBlank() ? USUAL : set.strip();
        if (!isServer(text)) {
            throw new WrongUsage("the server's address must look like " + USUAL + ", without a name or password in it");
        }
        return new ServerAddress(text.replaceFirst("/+$", ""));
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

    URI resolve(Target target) {
        return URI.create(url + target.text());
    }

    /** The same for a WebSocket. */
    URI socket(String path) {
        return URI.create("ws" + url.substring("http".length()) + path);
    }

    /** Why nothing came back from there, in one sentence. */
    IOException noAnswer(IOException cause) {
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
