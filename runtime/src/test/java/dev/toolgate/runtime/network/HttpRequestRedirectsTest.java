package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.ALSO_PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.context;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static dev.toolgate.runtime.network.LoopbackInternet.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.network.ScriptedServer.Received;
import dev.toolgate.runtime.network.ScriptedServer.Script;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Following redirects. */
class HttpRequestRedirectsTest {
    private final LoopbackInternet internet = new LoopbackInternet();
    private final HttpRequestTool tool = internet.tool();

    @Test
    void credentials_are_not_sent_to_another_origin() throws Exception {
        internet.name("one.example", PUBLIC).name("two.example", ALSO_PUBLIC);
        Map<String, String> headers =
                Map.of("Authorization", "Bearer s3cret", "Cookie", "id=1", "X-Api-Key", "k", "X-Plain", "p");
        try (ScriptedServer two = ScriptedServer.on(ALSO_PUBLIC, ScriptedServer.ok("there"));
                ScriptedServer one = ScriptedServer.on(PUBLIC, (seen, out, socket) -> {
                    Script next = seen.line().contains("/far")
                            ? ScriptedServer.redirect(307, "http://two.example:" + two.port() + "/")
                            : ScriptedServer.redirect(307, "/far");
                    next.answer(seen, out, socket);
                })) {
            call(tool, request("GET", "http://one.example:" + one.port() + "/near", headers, null));
            assertThat(one.received()).hasSize(2).allSatisfy(seen -> assertThat(seen.headers())
                    .containsKeys("authorization", "cookie", "x-api-key", "x-plain"));
            assertThat(two.received().getFirst().headers())
                    .containsKey("x-plain")
                    .doesNotContainKeys("authorization", "cookie", "x-api-key");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET, ''",
        "302, POST, GET, ''",
        "303, POST, GET, ''",
        "303, PUT, GET, ''",
        "303, HEAD, HEAD, ''",
        "301, PUT, PUT, data",
        "307, POST, POST, data",
        "308, DELETE, DELETE, data",
    })
    void redirects_change_the_method_as_in_browsers(int status, String method, String then, String body)
            throws Exception {
        Script script = (seen, out, socket) -> (seen.line().contains("/next")
                        ? ScriptedServer.saying("HTTP/1.1 204 No Content\r\n\r\n")
                        : ScriptedServer.redirect(status, "/next"))
                .answer(seen, out, socket);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, script)) {
            call(tool, request(method, url(server, "/"), Map.of(), method.equals("HEAD") ? null : "data"));
            Received last = server.received().getLast();
            assertThat(last.line()).isEqualTo(then + " /next HTTP/1.1");
            assertThat(last.body()).isEqualTo(body);
            assertThat(last.header("content-type").isPresent()).isEqualTo(!body.isEmpty());
        }
    }

    @Test
    void allowed_domains_are_checked_at_every_hop() throws Exception {
        internet.name("api.good.example", PUBLIC).name("bad.example", ALSO_PUBLIC);
        Bounds onlyGood = new Bounds(null, null, null, null, List.of(), List.of("*.good.example"), null, List.of());
        try (ScriptedServer bad = ScriptedServer.on(ALSO_PUBLIC, ScriptedServer.ok("bad"));
                ScriptedServer good = ScriptedServer.on(
                        PUBLIC, ScriptedServer.redirect(302, "http://bad.example:" + bad.port() + "/"))) {
            for (String url :
                    List.of("http://api.good.example:" + good.port() + "/", "http://bad.example:" + bad.port() + "/")) {
                ToolFailure refused =
                        catchThrowableOfType(ToolFailure.class, () -> tool.call(get(url), context(onlyGood)));
                assertThat(refused.failure().code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
                assertThat(refused.failure().message()).contains("bad.example", "*.good.example");
            }
            assertThat(good.hits()).isEqualTo(1);
            assertThat(bad.hits()).isZero();
            assertThat(internet.lookups).containsExactly("api.good.example");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void follows_five_redirects(int status) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, countdown(status))) {
            assertThat(call(tool, get(url(server, "/5"))).text()).endsWith("arrived");
            assertThat(server.hits()).isEqualTo(6);
        }
    }

    @Test
    void refuses_the_sixth_redirect() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, countdown(302))) {
            Failure failure = failure(tool, get(url(server, "/6")));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("more than 5 times");
            assertThat(server.hits()).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://127.0.0.2/", "http://user:pw@127.0.0.2/", "http://", "::::"})
    void refuses_a_redirect_to_an_invalid_url(String location) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.redirect(302, location))) {
            Failure failure = failure(tool, get(url(server, "/")));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("cannot be followed");
        }
    }

    private static Script countdown(int status) {
        return (request, out, socket) -> {
            int left = Integer.parseInt(request.line().split("[ /]+")[1]);
            Script next = left == 0 ? ScriptedServer.ok("arrived") : ScriptedServer.redirect(status, "/" + (left - 1));
            next.answer(request, out, socket);
        };
    }

    private static String url(ScriptedServer server, String path) {
        return "http://" + PUBLIC + ":" + server.port() + path;
    }
}
