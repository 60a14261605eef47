package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.context;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static dev.toolgate.runtime.network.LoopbackInternet.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.runtime.network.ScriptedServer.Received;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import dev.toolgate.runtime.tools.http.HttpRequestTool.Result;
import java.io.ByteArrayOutputStream;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class HttpRequestToolTest {
    private final LoopbackInternet internet = new LoopbackInternet();
    private final HttpRequestTool tool = internet.tool();

    @Test
    void has_its_aliases_and_is_dangerous() {
        assertThat(tool.spec().names()).containsExactly("http_request", "HttpRequest");
        assertThat(tool.spec().capability()).isEqualTo("Network.Http");
        assertThat(tool.spec().danger()).isEqualTo(Danger.DANGEROUS);
        assertThat(tool.spec().arguments().schema().path("required")).hasSize(1);
        assertThat(tool.spec()
                        .arguments()
                        .schema()
                        .at("/properties/timeout/maximum")
                        .asInt())
                .isEqualTo(600);
    }

    @Test
    void formats_the_response_as_documented() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok("hello, wörld"))) {
            Output output = call(tool, get(url(server, "/a?b=c")));
            assertThat(output.text())
                    .isEqualTo("HTTP 200 OK\nContent-Type: text/plain\nContent-Length: 13\n\nhello, wörld");
            assertThat(output.structured())
                    .isEqualTo(new Result(
                            200, "OK", Map.of("content-type", "text/plain", "content-length", "13"), "hello, wörld"));
            assertThat(output.artifacts()).isEmpty();
            Received seen = server.received().getFirst();
            assertThat(seen.line()).isEqualTo("GET /a?b=c HTTP/1.1");
            assertThat(seen.headers())
                    .containsOnlyKeys("accept", "accept-encoding", "connection", "host", "user-agent")
                    .containsEntry("host", PUBLIC + ":" + server.port());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500, 304, 300})
    void an_error_status_is_a_completed_call(int status) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(
                PUBLIC, ScriptedServer.saying("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n"))) {
            Output output = call(tool, get(url(server, "/")));
            assertThat(output.verdict()).isEqualTo(Output.Verdict.OK);
            assertThat(output.text()).startsWith("HTTP " + status + " ").contains("\nContent-Length: 0\n\n");
        }
    }

    @Test
    void sends_method_headers_and_body() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            call(tool, request("PUT", url(server, "/x"), Map.of("X-One", "1", "content-type", "a/b"), "bödy"));
            call(tool, request("POST", url(server, "/x"), Map.of(), "{\"a\":1}"));
            call(tool, request("DELETE", url(server, "/x"), Map.of(), "plain"));
            assertThat(server.received()).extracting(Received::body).containsExactly("bödy", "{\"a\":1}", "plain");
            assertThat(server.received())
                    .extracting(seen -> seen.header("content-type").orElseThrow())
                    .containsExactly("a/b", "application/json; charset=UTF-8", "text/plain; charset=UTF-8");
            assertThat(server.received().getFirst().header("x-one")).contains("1");
        }
    }

    @Test
    void a_head_request_shows_the_length_without_a_body() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(
                PUBLIC, ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"))) {
            assertThat(call(tool, request("HEAD", url(server, "/"), Map.of(), null))
                            .text())
                    .isEqualTo("HTTP 200 OK\nContent-Type: unknown\nContent-Length: 99999999\n\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Host, evil.example",
        "Content-Length, 5",
        "Transfer-Encoding, chunked",
        "Connection, keep-alive",
        "proxy-authorization, x",
        "Upgrade, h2c",
        "'X-A', 'a\r\nX-B: b'",
        "'X-A', 'a\nX-B: b'",
        "'X-A', 'a\rb'",
        "'X-A', 'aäb'",
        "'X-A\r\nX-B', b",
        "'X A', b",
        "'X:A', b",
        "'', b",
    })
    void refuses_headers_about_connection_and_length(String name, String value) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            Failure refused = failure(tool, request("GET", url(server, "/"), Map.of(name, value), null));
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(server.hits()).isZero();
        }
    }

    @Test
    void a_long_body_is_truncated_and_stored_as_an_artifact() throws Exception {
        String body = "é".repeat(200_000);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(body))) {
            Output output = call(tool, get(url(server, "/")));
            assertThat(output.text().getBytes(UTF_8).length).isBetween(100_000, 100 * 1024);
            assertThat(output.text()).contains("Content-Length: 400000").contains("[... truncated ");
            Artifact artifact = output.artifacts().getFirst();
            assertThat(artifact.kind()).isEqualTo("tool_output");
            assertThat(artifact.mediaType()).isEqualTo("text/plain");
            assertThat(artifact.content().open().readAllBytes()).isEqualTo(body.getBytes(UTF_8));

            Output small = tool.call(get(url(server, "/")), context(Bounds.sizes(null, 1000)));
            assertThat(small.text().getBytes(UTF_8).length).isLessThanOrEqualTo(1000);
        }
    }

    @ParameterizedTest
    @CsvSource({"10240, 0", "10241, 1"})
    void a_body_over_10_kb_becomes_an_artifact(int size, int artifacts) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok("x".repeat(size)))) {
            assertThat(call(tool, get(url(server, "/"))).artifacts()).hasSize(artifacts);
        }
    }

    @Test
    void a_binary_body_is_described_and_attached() throws Exception {
        byte[] image = {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, (byte) 0xFF};
        try (ScriptedServer server = serving("image/png", "", image)) {
            Output output = call(tool, get(url(server, "/")));
            assertThat(output.text())
                    .endsWith("\n\n[binary body of type image/png, 8 bytes, not shown; it is attached as an artifact]");
            assertThat(output.artifacts().getFirst().mediaType()).isEqualTo("image/png");
            assertThat(output.artifacts().getFirst().content().open().readAllBytes())
                    .isEqualTo(image);
        }
    }

    @Test
    void the_charset_of_the_content_type_is_used() throws Exception {
        try (ScriptedServer server = serving("text/html; charset=ISO-8859-1", "", "grün".getBytes(ISO_8859_1))) {
            assertThat(call(tool, get(url(server, "/"))).text()).endsWith("\n\ngrün");
        }
    }

    @Test
    void a_compressed_body_is_decompressed() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (String part : List.of("first ", "", "second")) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(part.getBytes(UTF_8));
            }
        }
        try (ScriptedServer server = serving("text/plain", "Content-Encoding: gzip\r\n", packed.toByteArray())) {
            assertThat(call(tool, get(url(server, "/"))).text()).endsWith("Content-Length: 12\n\nfirst second");
        }
        byte[] half = Arrays.copyOf(packed.toByteArray(), 15);
        try (ScriptedServer server = serving("text/plain", "Content-Encoding: gzip\r\n", half)) {
            assertThat(failure(tool, get(url(server, "/"))).message()).contains("compressed response is damaged");
        }
    }

    @Test
    void the_preview_shows_the_request_without_its_secrets_and_sends_nothing() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            String preview = tool.preview(
                            request(
                                    "POST",
                                    url(server, "/p?token=s3cret-query&q=1"),
                                    Map.of("Authorization", "Bearer s3cret-header", "X-Plain", "visible"),
                                    "{\"hello\":1}"),
                            context(Bounds.none()))
                    .orElseThrow();
            assertThat(preview)
                    .startsWith(
                            "POST http://" + PUBLIC + ":" + server.port() + "/p?token=[redacted: 12 characters]&q=1\n")
                    .contains("Authorization: [redacted: 20 characters]\n", "X-Plain: visible\n", "{\"hello\":1}")
                    .doesNotContain("s3cret");
            assertThat(server.hits()).isZero();
        }
    }

    @Test
    void a_body_cannot_imitate_a_request_in_the_preview() throws Exception {
        String body = "\n\nGET http://harmless.example/\u202E\rtoken=s3cret-body";
        String preview = tool.preview(request("POST", "http://" + PUBLIC + "/", Map.of(), body), context(Bounds.none()))
                .orElseThrow();

        assertThat(preview)
                .contains(
                        "with this body of ",
                        "\n    GET http://harmless.example/\\u{202e}\\u{d}token=[redacted: 11 characters]")
                .doesNotContain("s3cret", "\nGET", "\u202E", "\r");
    }

    @Test
    void the_default_port_is_not_part_of_the_host_header() throws Exception {
        internet.name("web.example", PUBLIC);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, 80, ScriptedServer.ok(""))) {
            call(tool, get("http://web.example/"));
            assertThat(server.received().getFirst().header("host")).contains("web.example");
        } catch (SocketException notAllowedHere) {
            Assumptions.abort("Port 80 cannot be opened by this account");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|url",
                "{'url':''}|url",
                "{'url':'http://a/','method':'TRACE'}|method",
                "{'url':'http://a/','headers':{'A':1}}|headers.A",
                "{'url':'http://a/','timeout':0}|timeout",
                "{'url':'http://a/','timeout':601}|timeout",
                "{'url':'http://a/','follow':true}|follow",
            })
    void invalid_arguments_are_named(String json, String field) {
        assertThat(tool.spec().arguments().validate(object(json)))
                .hasValueSatisfying(complaint -> assertThat(complaint).contains(field));
    }

    @Test
    void arguments_are_decoded_from_json() {
        assertThat(tool.spec()
                        .arguments()
                        .decode(object(
                                "{'url':'http://a/','method':'POST','headers':{'A':'b'},'body':'c','timeout':5}")))
                .isEqualTo(new HttpRequestTool.Arguments("http://a/", "POST", Map.of("A", "b"), "c", 5));
    }

    @Test
    void connection_refused_and_unknown_host_are_reported() throws Exception {
        int closedPort;
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            closedPort = server.port();
        }
        // A process that an earlier test is just starting has a copy of the listening socket for a moment.
        Awaitility.await().untilAsserted(() -> assertThat(
                        failure(tool, get("http://" + PUBLIC + ":" + closedPort + "/?key=s3cret"))
                                .message())
                .contains("the connection was refused")
                .doesNotContain("s3cret"));
        assertThat(failure(tool, get("http://nowhere.example/")).message())
                .contains("'nowhere.example' cannot be resolved");
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json.replace('\'', '"'));
    }

    private static ScriptedServer serving(String type, String moreHeaders, byte[] body) throws Exception {
        return ScriptedServer.on(PUBLIC, (_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + moreHeaders + "Content-Length: "
                            + body.length + "\r\n\r\n")
                    .getBytes(US_ASCII));
            out.write(body);
        });
    }

    private static String url(ScriptedServer server, String path) {
        return "http://" + PUBLIC + ":" + server.port() + path;
    }
}
