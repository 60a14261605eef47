package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.RunningServer;
import dev.toolgate.server.identity.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An independent program asks everything in the document in thousands of ways: nothing that the document allows is
 * refused as malformed, nothing that it forbids is taken, and nothing makes the server fail.
 */
class SchemathesisTest {
    private static final Path CONFIGURATION =
            Path.of("src/test/python/schemathesis.toml").toAbsolutePath();
    private static final String NOBODY_LISTENS = "http://127.0.0.1:9";
    private static final String WHERE_THE_SUMMARY_BEGINS = "== SUMMARY ==";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    @Test
    void the_server_keeps_to_its_document_whatever_it_is_asked() throws Exception {
        Map<String, String> settings = Map.of(
                "models.claude.base_url", NOBODY_LISTENS,
                "models.openai.base_url", NOBODY_LISTENS,
                "models.ollama.host", NOBODY_LISTENS);
        try (RunningServer server = RunningServer.start(home, settings)) {
            String key = server.key(FIRST, Role.ADMIN, null);
            Path output = folder.resolve("output.txt");

            int code = schemathesis(server.url(), key, output);

            String said = Files.readString(output);
            int summary = Math.max(0, said.indexOf(WHERE_THE_SUMMARY_BEGINS));
            System.out.println(said.substring(summary));
            assertThat(code).as(said).isZero();
            assertThat(said).contains(WHERE_THE_SUMMARY_BEGINS).doesNotContain("Failures:", "Errors:");
            // It may revoke keys; had it revoked its own, every request after that would have been refused.
            assertThat(server.withKey(key).get("/api/v1/whoami").status()).isEqualTo(200);
        }
    }

    private int schemathesis(String url, String key, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        SchemathesisInstallation.program().toString(),
                        "--config-file",
                        CONFIGURATION.toString(),
                        "run",
                        url + "/openapi.json",
                        "--header",
                        "Authorization: Bearer " + key,
                        "--max-examples",
                        "25",
                        "--seed",
                        "11",
                        "--workers",
                        "2",
                        "--exclude-path-regex",
                        "(/stream|/ws)$",
                        "--no-color"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(15, TimeUnit.MINUTES)).as("It ended").isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
