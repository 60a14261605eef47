package dev.toolgate.server.mcpclient;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official inspector on the command line: every run connects, makes one request and disconnects. */
@Timeout(900)
class InspectorTest {
    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ClientGate gate;

    @BeforeAll
    static void start() throws Exception {
        gate = ClientGate.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"modern", "legacy"})
    void lists_and_calls_tools_and_refusals_are_recorded(String era) throws Exception {
        String agent = "inspector_" + era;
        String key = gate.addAgent(agent);

        assertThat(inspect(era, key, "tools/list").out())
                .contains("\"speak\"")
                .contains("\"shout\"")
                .contains("\"whisper\"")
                .doesNotContain("secret");
        assertThat(call(era, key, "speak", agent).out()).contains("speak said " + agent);
        assertThat(all(call(era, key, "whisper", agent))).contains("condition").doesNotContain("whisper said");
        assertThat(all(call(era, key, "secret", agent))).contains("secret").doesNotContain("secret said");
        String text = agent + " shouts";
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ClientProcess.Ended> waiting = threads.submit(() -> call(era, key, "shout", text));
            gate.approve(text);
            assertThat(waiting.get().out()).contains("shout said " + text);
        }

        gate.revoke(agent, "speak");
        assertThat(inspect(era, key, "tools/list").out()).doesNotContain("\"speak\"");
        assertThat(all(call(era, key, "speak", agent + " again"))).doesNotContain("speak said");
        assertThat(gate.speak.times(agent + " again")).isZero();
        assertThat(gate.records(agent))
                .allMatch(entry -> entry.matches("inspector[a-z-]*/2\\.12\\.0 .*"))
                .extracting(entry -> entry.substring(entry.indexOf(' ') + 1))
                // It looks a tool up in the list before it calls it, so that nothing else reaches the gate.
                .containsExactly("speak allowed", "whisper denied", "shout allowed");
    }

    private ClientProcess.Ended call(String era, String key, String tool, String text) throws IOException {
        return inspect(era, key, "tools/call", "--tool-name", tool, "--tool-arg", "text=" + text);
    }

    private static String all(ClientProcess.Ended ended) {
        return ended.out() + ended.err();
    }

    private ClientProcess.Ended inspect(String era, String key, String method, String... more) throws IOException {
        Path installed = InstalledClients.npm("inspector");
        List<String> command = new ArrayList<>(List.of(
                InstalledClients.node(),
                installed
                        .resolve("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js")
                        .toString(),
                "--cli",
                gate.url(),
                "--transport",
                "http",
                "--protocol-era",
                era,
                "--header",
                "Authorization: Bearer " + key,
                "--method",
                method));
        command.addAll(List.of(more));
        try (ClientProcess client = ClientProcess.start(folder, Map.of(), command)) {
            return client.await();
        }
    }
}
