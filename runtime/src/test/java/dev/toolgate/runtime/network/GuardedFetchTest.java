package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PRIVATE;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedFetchTest {
    private final GuardedFetch fetch = new GuardedFetch(LoopbackInternet.POLICY, new LoopbackInternet());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html; charset=iso-8859-1|<p>caf\u00e9",
                "text/html|<meta charset=iso-8859-1><p>caf\u00e9",
                "text/html|<META http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'><p>caf\u00e9"
            })
    void a_page_is_decoded_with_its_declared_charset(String typeAndPage) throws Exception {
        String type = typeAndPage.substring(0, typeAndPage.indexOf('|'));
        String page = typeAndPage.substring(typeAndPage.indexOf('|') + 1);
        byte[] answer =
                ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n" + page).getBytes(StandardCharsets.ISO_8859_1);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, (_, out, _) -> out.write(answer))) {
            assertThat(get(PUBLIC, server).text()).contains(page);
        }
    }

    @Test
    void an_internal_address_is_refused_without_a_connection() throws Exception {
        try (ScriptedServer victim = ScriptedServer.on(PRIVATE, ScriptedServer.ok("internal"));
                ScriptedServer server = ScriptedServer.on(
                        PUBLIC, ScriptedServer.redirect(302, "http://" + PRIVATE + ":" + victim.port() + "/"))) {
            for (ScriptedServer target : List.of(victim, server)) {
                String host = target == victim ? PRIVATE : PUBLIC;
                assertThat(catchThrowableOfType(ToolFailure.class, () -> get(host, target))
                                .failure()
                                .code())
                        .isEqualTo(ErrorCode.PERMISSION_DENIED);
            }
            assertThat(victim.hits()).isZero();
        }
    }

    private GuardedFetch.Page get(String host, ScriptedServer server) throws ToolFailure, InterruptedException {
        return fetch.get("http://" + host + ":" + server.port() + "/", null, "*/*", Duration.ofSeconds(10));
    }
}
