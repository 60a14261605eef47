package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A browser that is logged in to the gate and connects an account: it keeps cookies as a browser does. */
public final class ConnectBrowser {
    private final Client anonymous;
    private final String login;
    private final String csrf;
    private @Nullable String connecting;

    /** Logs in with a key. */
    public ConnectBrowser(Client anonymous, String key) {
        this.anonymous = anonymous;
        Reply reply = anonymous.post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        this.login = cookie(reply);
        this.csrf = reply.json().path("csrf_token").asString();
    }

    private static String cookie(Reply reply) {
        return reply.header("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
    }

    /** A client with this browser's log-in, for changes. */
    public Client loggedIn() {
        return anonymous.with("Cookie", login).with("X-CSRF-Token", csrf);
    }

    /** Starts to connect an account and returns the authorization server's page. */
    URI begin(String server, String body) {
        return begun(loggedIn().post("/api/v1/mcp/servers/" + server + "/account", body));
    }

    /** Keeps the cookie of an authorization that has begun. */
    public URI begun(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        connecting = cookie(reply);
        return URI.create(reply.json().path("authorization_url").asString());
    }

    /** A client with the cookies that a browser sends after a redirect from another site: not that of the log-in. */
    public Client comingBack() {
        return connecting == null ? anonymous : anonymous.with("Cookie", connecting);
    }

    /** Follows the authorization server's redirection. */
    Reply comeBack(URI address) {
        return comingBack().get(Objects.requireNonNull(address.getRawPath()) + "?" + address.getRawQuery());
    }

    void logOut() {
        loggedIn().delete("/api/v1/console/session");
    }
}
