package dev.toolgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.chat.ChatSocket;
import dev.toolgate.cli.chat.TerminalEvent;
import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.server.TestCertificate;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command line with a server that has a self-signed certificate. */
class TlsCommandsTest {
    private static final TestCertificate CERTIFICATE = TestCertificate.make("EC", "toolgate");

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Path keyFile;
    private static Terminal terminal;

    @BeforeAll
    static void start() throws Exception {
        CERTIFICATE.write(certificate(), home.resolve("tls.key"), TestCertificate.Form.PKCS8);
        server = RunningServer.start(
                home,
                Map.of(
                        "http.tls.cert",
                        certificate().toString(),
                        "http.tls.key",
                        home.resolve("tls.key").toString()));
        keyFile = Files.writeString(home.resolve("key"), server.key(RunningServer.FIRST, Role.ADMIN, null));
        terminal = Terminal.at(server.url(), keyFile);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void commands_trust_the_given_certificate() {
        assertThat(server.url()).startsWith("https://");
        Terminal.Result made = run("key", "create", "--role", "user", "--agent", "a,b", "--for", "never", "--json");
        assertThat(made.code()).as(made.err()).isZero();
        JsonNode key = Json.MAPPER.readTree(made.out());
        assertThat(key.path("agents").toString()).isEqualTo("[\"a\",\"b\"]");
        assertThat(key.path("expires_at").isNull()).isTrue();

        Terminal.Result rotated = run("key", "rotate", key.path("key_id").asString(), "--overlap", "2h");
        assertThat(rotated.code()).as(rotated.err()).isZero();
        assertThat(rotated.out().strip()).startsWith("tg_");
        assertThat(rotated.err()).contains("The old key is valid until").doesNotContain("tg_");
        assertThat(run("key", "list").out()).contains("a,b");
    }

    @Test
    void an_untrusted_certificate_is_reported_with_what_to_do() {
        Terminal.Result refused = terminal.run("health");

        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("is not trusted").contains("--ca");
    }

    @Test
    void a_conversation_opens_over_tls() throws Exception {
        LinkedBlockingQueue<TerminalEvent> heard = new LinkedBlockingQueue<>();
        ServerAddress address = ServerAddress.of(server.url(), certificate());
        try (ChatSocket chat = ChatSocket.open(address, Key.find(keyFile), heard::add)) {
            assertThat(heard.poll(30, TimeUnit.SECONDS))
                    .as("the server's greeting")
                    .isNotNull();
            assertThat(chat).isNotNull();
        }
    }

    @Test
    void health_reports_unusable_certificate_files() throws IOException {
        assertThat(run("health").out()).contains("tls").contains("The certificate is valid until");
        Files.writeString(home.resolve("tls.key"), "broken");

        await().atMost(Duration.ofMinutes(1)).until(() -> run("health").out().contains("the former one, valid until"));

        CERTIFICATE.write(certificate(), home.resolve("tls.key"), TestCertificate.Form.PKCS8);
        await().atMost(Duration.ofMinutes(1)).until(() -> run("health").out().contains("The certificate is valid"));
    }

    private static Terminal.Result run(String... words) {
        String[] all = java.util.Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--ca";
        all[words.length + 1] = certificate().toString();
        return terminal.run(all);
    }

    private static Path certificate() {
        return home.resolve("tls.crt");
    }
}
