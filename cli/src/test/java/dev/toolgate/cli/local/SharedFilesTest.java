package dev.toolgate.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.Main;
import dev.toolgate.server.trial.ServerProcess;
import dev.toolgate.server.trial.TrialDatabase;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on one database that do not share files. */
@Timeout(180)
class SharedFilesTest {
    @TempDir
    private Path folder;

    private DatabaseUrl database;
    private ServerProcess first;

    @BeforeEach
    void start() throws Exception {
        database = MigratedDatabase.fresh();
        first = ServerProcess.start(
                TrialDatabase.environment(Files.createDirectory(folder.resolve("first")), database),
                Main.class,
                "serve");
    }

    @AfterEach
    void stop() {
        first.close();
    }

    @Test
    void a_second_server_with_other_files_does_not_start() throws Exception {
        Path home = Files.createDirectory(folder.resolve("second"));

        Process second = ServerProcess.begin(TrialDatabase.environment(home, database), Main.class, "serve");

        assertThat(second.waitFor()).isNotZero();
        assertThat(Files.readString(home.resolve(ServerProcess.LOG)))
                .contains("Another Toolgate (process " + first.handle().pid() + " on ")
                .contains("set TOOLGATE_WORKSPACE to a folder that both of them mount")
                .contains("TOOLGATE_TENANT_WORKSPACES")
                .contains("set artifacts.store to s3")
                .doesNotContain("Exception");
        assertThat(first.client().get("/health").status())
                .as("the first server is still running")
                .isEqualTo(200);
    }

    @Test
    void files_and_artifacts_of_one_server_are_visible_on_the_other() throws Exception {
        first.stop();
        Path files = Files.createDirectory(folder.resolve("files"));
        try (ServerProcess one = serve(files, "one");
                ServerProcess other = serve(files, "other");
                TrialDatabase trial = TrialDatabase.on(database)) {
            for (String tool : new String[] {"file_write", "file_read"}) {
                trial.grant(TrialDatabase.FIRST, "writer", tool, dev.toolgate.store.grant.Terms.PLAIN);
            }
            String written = call(one, "w1", "file_write", "{\"path\": \"note.txt\", \"content\": \"from one\"}");
            assertThat(written).contains("\"success\":true");

            assertThat(call(other, "r1", "file_read", "{\"path\": \"note.txt\"}"))
                    .contains("from one");
            String artifact =
                    first(one.client().get("/workspaces/default/artifacts").text());
            assertThat(other.client()
                            .get("/workspaces/default/artifacts/" + artifact)
                            .text())
                    .contains("+from one");
        }
    }

    @Test
    void a_killed_server_does_not_keep_others_from_starting() throws Exception {
        first.kill();
        Path home = Files.createDirectory(folder.resolve("second"));

        try (ServerProcess second =
                ServerProcess.start(TrialDatabase.environment(home, database), Main.class, "serve")) {
            assertThat(second.client().get("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void a_killed_server_restarts_at_once() throws Exception {
        first.kill();

        try (ServerProcess again = ServerProcess.start(
                TrialDatabase.environment(folder.resolve("first"), database), Main.class, "serve")) {
            assertThat(again.client().get("/health").status()).isEqualTo(200);
        }
    }

    @Test
    void the_identity_file_of_a_folder_is_restored() throws Exception {
        Path place = folder.resolve("first/workspace/.toolgate-place");
        String identity = Files.readString(place);
        Files.delete(place);
        Files.createSymbolicLink(place, Path.of("/dev/zero"));

        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.isRegularFile(place, java.nio.file.LinkOption.NOFOLLOW_LINKS));
        assertThat(Files.readString(place)).isEqualTo(identity);
    }

    private ServerProcess serve(Path files, String name) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        Map<String, String> environment = TrialDatabase.sharing(files, home, database);
        return ServerProcess.start(environment, Main.class, "serve");
    }

    private static String call(ServerProcess server, String request, String tool, String parameters) {
        return server.client()
                .post("/api/v1/tools/execute", """
                        {"request_id": "%s", "agent_id": "writer", "tool_name": "%s", "operation": "test",
                         "parameters": %s}""".formatted(request, tool, parameters))
                .text();
    }

    private static String first(String artifacts) {
        return artifacts.replaceFirst("(?s).*?\"id\":\"([^\"]+)\".*", "$1");
    }
}
