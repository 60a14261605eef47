package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class GuardTest {
    private final AtomicInteger handled = new AtomicInteger();
    private final LiveServer server = new LiveServer(
            LiveServer.defaults(),
            Route.get("/open", RouteAccess.open(), Dialect.STANDARD, exchange -> {
                handled.incrementAndGet();
                return Response.empty();
            }),
            Route.get("/known", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::name),
            Route.post("/keys", RouteAccess.needs(Right.MANAGE_KEYS), Dialect.STANDARD, this::name));

    private Response name(Exchange exchange) {
        handled.incrementAndGet();
        return Response.json(JsonNodeFactory.instance
                .objectNode()
                .put("name", exchange.principal().name()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> getAs(String key) {
        return server.send(server.request("/known").header("Authorization", "Bearer " + key));
    }

    @Test
    void open_routes_do_not_authenticate() {
        assertThat(server.get("/open").statusCode()).isEqualTo(204);
        assertThat(server.keys.seen).isEmpty();
    }

    @Test
    void unauthenticated_requests_get_401_in_the_error_shape() {
        HttpResponse<String> response = server.get("/known");
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("UNAUTHORIZED");
        assertThat(LiveServer.error(response).path("message").asString()).isEqualTo("The key is unknown.");
        assertThat(handled).hasValue(0);
    }

    @Test
    void authenticated_requests_reach_the_handler() {
        assertThat(getAs("agent").body()).isEqualTo("{\"name\":\"key:agent\"}");
        assertThat(server.keys.seen).hasSize(1);
    }

    @Test
    void repeated_failures_are_throttled() {
        HttpResponse<String> response = getAs("hurried");
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).contains("3");
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("RATE_LIMITED");
    }

    @Test
    void an_unavailable_authenticator_is_503() {
        HttpResponse<String> response = getAs("outage");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(LiveServer.error(response).path("retryable").asBoolean()).isTrue();
        assertThat(response.body()).doesNotContain("db.internal");
        assertThat(handled).hasValue(0);
    }

    @Test
    void a_role_without_the_right_is_refused_by_its_name() {
        HttpResponse<String> response = server.send(server.request("/keys")
                .header("Authorization", "Bearer auditor")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(LiveServer.error(response).path("code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(LiveServer.error(response).path("message").asString())
                .isEqualTo("The role auditor lacks the right manage_keys, which this needs.");
        assertThat(handled).hasValue(0);
    }

    @Test
    void credentials_are_checked_before_the_body_arrives() {
        try (RawConnection raw = server.raw()) {
            raw.send("POST /keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
            assertThat(raw.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void an_unread_body_does_not_become_the_next_request() {
        try (RawConnection raw = server.raw()) {
            String inner = "GET /open HTTP/1.1\r\nHost: x\r\n\r\n";
            raw.send("POST /keys HTTP/1.1\r\nHost: x\r\nContent-Length: " + inner.length() + "\r\n\r\n");
            assertThat(raw.readUntil("}}")).startsWith("HTTP/1.1 401");
            raw.send(inner + "GET /known HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(raw.readAll()).startsWith("HTTP/1.1 401");
            assertThat(handled).hasValue(0);
        }
    }

    @Test
    void all_credentials_reach_the_authenticator() {
        server.send(server.request("/keys")
                .header("Cookie", "theme=dark; toolgate_session=abc")
                .header("X-CSRF-Token", "token")
                .POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
        assertThat(server.keys.seen)
                .containsExactly(new Credentials(null, "abc", "token", Credentials.Kind.CHANGES, "127.0.0.1"));
    }

    @Test
    void two_session_cookies_are_ignored() {
        server.send(server.request("/known").header("Cookie", "toolgate_session=planted; toolgate_session=own"));
        assertThat(server.keys.seen)
                .containsExactly(new Credentials(null, null, null, Credentials.Kind.READS, "127.0.0.1"));
    }

    @Test
    void two_authorization_headers_are_refused() {
        HttpResponse<String> response = server.send(server.request("/known")
                .header("Authorization", "Bearer agent")
                .header("Authorization", "Bearer admin"));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(handled).hasValue(0);
    }
}
