package dev.toolgate.server.openapi;

import static dev.toolgate.server.openapi.DocumentedRequests.seen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.signon.LyingProvider;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Requests of a user who logs in through the identity provider. */
final class SignOnRequests {
    private static final String LOGIN = "GET /auth/oidc/login";
    private static final String CALLBACK = "GET /auth/oidc/callback";
    private static final String SESSION = "DELETE /api/v1/console/session";
    private static final String END = "DELETE /api/v1/people/{person_id}/sessions";

    private final RunningServer server;
    private final CheckedClient checked;
    private final LyingProvider provider;

    SignOnRequests(RunningServer server, CheckedClient checked, LyingProvider provider) {
        this.server = server;
        this.checked = checked;
        this.provider = provider;
    }

    /** Logs a person in, and out again. */
    String logIn() {
        Client anonymous = server.anonymous();
        seen(200, checked.ask(anonymous, "GET /api/v1/console/sign-on"));
        seen(400, checked.ask(anonymous, LOGIN + "?return=//evil.example"));
        seen(400, checked.ask(anonymous, CALLBACK + "?code="));
        Reply begun = seen(302, checked.ask(anonymous, LOGIN + "?return=/console/agents"));
        String page = begun.header("Location").orElseThrow();
        provider.give(provider.signed(
                provider.claims("ada", "platform", parameter(page, "nonce")).build()));
        String issuer = URLEncoder.encode(provider.issuer(), StandardCharsets.UTF_8);
        Reply back = seen(
                302,
                checked.ask(
                        anonymous.with("Cookie", cookie(begun)),
                        CALLBACK + "?code=c&state=" + parameter(page, "state") + "&iss=" + issuer));
        assertThat(back.header("Location")).contains("/console/agents");
        Client browser = anonymous.with("Cookie", cookie(back));
        assertThat(seen(200, checked.ask(browser, "GET /api/v1/console/session"))
                        .json()
                        .path("display_name")
                        .asString())
                .isEqualTo("The person ada");
        seen(200, checked.ask(browser, SESSION));
        return "ada@example.org";
    }

    /** Lists people, and ends log-ins. */
    void people(String email) {
        Client admin = server.admin();
        Reply people = seen(200, checked.ask(admin, "GET /api/v1/people"));
        assertThat(people.text()).contains(email);
        seen(400, checked.ask(admin, "GET /api/v1/people?after=none"));
        String id = people.json().path(0).path("person_id").asString();
        seen(204, checked.ask(admin, END, id));
        seen(404, checked.ask(admin, END, UUID.randomUUID().toString()));
    }

    private static String cookie(Reply reply) {
        return reply.header("Set-Cookie").orElseThrow().split(";", -1)[0];
    }

    private static String parameter(String page, String name) {
        return Arrays.stream(URI.create(page).getRawQuery().split("&", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }
}
