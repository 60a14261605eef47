package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class MalformedRequestsTest {
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final LiveServer server = new LiveServer(
            LiveServer.defaults(),
            Route.get("/secret", RouteAccess.anyPrincipal(), Dialect.STANDARD, _ -> note("secret")),
            Route.get("/a/{x}", RouteAccess.open(), Dialect.STANDARD, exchange -> note(exchange.path("x"))),
            Route.get("/a", RouteAccess.open(), Dialect.STANDARD, _ -> note("a")),
            Route.post(
                    "/a",
                    RouteAccess.open(),
                    Dialect.STANDARD,
                    exchange -> note(exchange.json().toString())));

    private Response note(String what) {
        handled.add(what);
        return Response.json(JsonNodeFactory.instance.objectNode().put("handled", what));
    }

    @AfterEach
    void stop() {
        assertThat(server.get("/a").statusCode())
                .as("the server is alive afterwards")
                .isEqualTo(200);
        server.close();
    }

    private String answer(String request) {
        try (RawConnection raw = server.raw()) {
            return raw.send(request).readAll();
        }
    }

    private void assertRefused(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 4")
                .contains("Content-Type: application/json")
                .contains("\"code\":\"INVALID_REQUEST\"")
                .contains("X-Correlation-ID: ")
                .containsOnlyOnce("HTTP/1.1")
                .doesNotContain("<html")
                .doesNotContain("Exception")
                .doesNotContain("\tat ")
                .doesNotContainIgnoringCase("jetty")
                .doesNotContain("Server:");
        assertThat(handled).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//a", "/a//b", "/a/%2fb", "/a%2Fb", "/x/../a", "/a/..", "/./a", "/x/%2e%2e/a", "/a/%2E", "/a;b=c",
                "/a/x;y", "/a/%00", "/a/%", "/a/%4", "/a/%zz", "/a/%ff", "/a/%c0%af", "/a/%25", "/a\\b", "/a/x%0d%0ay",
                "/a/x%5cy", "/x/..;/a", "/a#b", "/a/%u0041", "http://user:secret@x/a", "a",
            })
    void ambiguous_addresses_are_refused(String path) {
        assertRefused(answer("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/%00", "/a/%zz", "/a/%ff"})
    void the_response_announces_that_the_connection_closes(String path) {
        assertThat(answer("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("Connection: close");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /a HTTP/1.1\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nname : value\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nfolded: a\r\n b\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nnull: a\u0000b\r\n\r\n",
                "GET /a HTTP/1.1\nHost: x\n\n",
                "get /a HTTP/1.1 \r\nHost: x\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            })
    void malformed_http_is_refused(String request) {
        assertRefused(answer(request));
    }

    private static final String HIDDEN = "GET /secret HTTP/1.1\r\nHost: x\r\n\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 6\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 6",
                "Content-Length: 6\r\nContent-Length: 7",
                "Content-Length: 6, 7",
                "Content-Length: +6",
                "Content-Length: -1",
                "Content-Length: 0x6",
                "Content-Length: 99999999999999999999",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            })
    void ambiguous_lengths_are_refused_and_allow_no_request_smuggling(String lengths) {
        assertRefused(answer("POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + lengths
                + "\r\n\r\n0\r\n\r\n" + HIDDEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\n{}\n0\n\n", "2\r\n{}x\r\n0\r\n\r\n"})
    void malformed_chunks_are_refused(String body) {
        assertRefused(answer("POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n" + body + HIDDEN));
    }

    @Test
    void a_body_that_ends_early_is_not_handled() {
        try (RawConnection raw = server.raw()) {
            raw.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{}");
            raw.endOutput();
            assertRefused(raw.readAll());
        }
    }

    @Test
    void chunks_are_read_as_one_body() {
        String header = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n";
        String chunks = "3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n";
        assertThat(answer(header + "Transfer-Encoding: chunked\r\n\r\n" + chunks))
                .startsWith("HTTP/1.1 200");
        assertThat(handled).containsExactly("{\"a\":1}");
    }

    @Test
    void pipelined_requests_are_answered_in_order() {
        String first = "GET /a/1 HTTP/1.1\r\nHost: x\r\n\r\n";
        String second = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        String third = "GET /a/3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        String answers = answer(first + second + third);
        assertThat(handled).containsExactly("1", "{}", "3");
        assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(4);
        assertThat(answers).endsWith("{\"handled\":\"3\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /a\r\n\r\n", "GET /a HTTP/9.9\r\nHost: x\r\n\r\n"})
    void other_versions_of_http_are_refused(String request) {
        assertThat(answer(request)).startsWith("HTTP/1.1 505").contains("\"code\":\"INVALID_REQUEST\"");
        assertThat(handled).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE /a", "CONNECT x:80", "get /a", "BREW /a"})
    void other_methods_are_refused(String start) {
        try (RawConnection raw = server.raw()) {
            assertRefused(raw.send(start + " HTTP/1.1\r\nHost: x\r\n\r\n").readUntil("}}"));
        }
    }
}
