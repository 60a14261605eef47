package dev.toolgate.server.signon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.RunningServer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Settings, clients and queries for tests of single sign-on. */
public final class SignOnGate {
    static final String SESSION = "toolgate_session";

    private SignOnGate() {}

    /** Settings of a gate where people log in through a provider. */
    public static Map<String, String> settings(String issuer, String client, String secret) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("audit.timeout", "20s"); // so that a busy machine does not fail the tests
        settings.put("auth.oidc.issuer", issuer);
        settings.put("auth.oidc.client_id", client);
        settings.put("auth.oidc.client_secret", secret);
        settings.put("auth.oidc.scopes", "openid,profile,email,groups");
        settings.put("auth.oidc.roles", """
                [{"group": "platform", "role": "admin"}, {"group": "reviewers", "role": "operator"},
                 {"group": "acme-admins", "role": "admin", "tenant": "acme"},
                 {"group": "gone", "role": "auditor", "tenant": "nowhere"},
                 {"group": "support", "role": "user", "agents": ["agent_1"]},
                 {"group": "sales", "role": "user", "agents": ["seller"]}]""");
        return settings;
    }

    static URI at(RunningServer gate, String path) {
        return URI.create(gate.url() + path);
    }

    /** The parameters of an address. */
    static Map<String, String> query(URI address) {
        return Arrays.stream(Objects.requireNonNull(address.getRawQuery()).split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    /** A client with the log-in of a browser, for changes. */
    static Client loggedIn(RunningServer gate, Browser browser) {
        Client reading = reading(gate, browser);
        JsonNode who = reading.get("/api/v1/console/session").json();
        assertThat(who.has("csrf_token")).as(who.toString()).isTrue();
        return reading.with("X-CSRF-Token", who.path("csrf_token").asString());
    }

    /** A client with the log-in of a browser, if it has one. */
    static Client reading(RunningServer gate, Browser browser) {
        return browser.cookie(SESSION)
                .map(cookie -> gate.anonymous().with("Cookie", SESSION + "=" + cookie))
                .orElseGet(gate::anonymous);
    }

    /** How many rows a table has. */
    static long rows(RunningServer gate, String table) {
        return gate.database().jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(Long.class)
                .one());
    }

    /** The newest records of log-ins. */
    static JsonNode records(RunningServer gate) {
        return gate.admin()
                .get("/api/v1/audit/logs?kind=administration&tool_name=console_logins")
                .json();
    }
}
