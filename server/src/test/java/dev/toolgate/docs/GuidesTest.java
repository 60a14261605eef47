package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.server.ToolgateServer;
import dev.toolgate.server.config.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command in the guides and the README is run, in order, by a shell, against a real server. */
class GuidesTest {
    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ToolgateServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(home.resolve("toolgate.yaml"), "costs: {file_list: 0.001}\n");
        ServerSettings settings = ServerSettings.load(
                null, Map.of("DATABASE_URL", FreshDatabase.url()), Map.of("home", home.toString(), "ports", "0"));
        server = ToolgateServer.start(settings, List.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/guides/managing-permissions.md",
                "docs/guides/approvals.md",
                "docs/guides/querying-the-audit-log.md",
                "docs/guides/operating.md"
            })
    void does_what_it_says(String document) throws Exception {
        List<Block> blocks = Block.of(Documents.text(Documents.ROOT.resolve(document)));
        assertThat(blocks).isNotEmpty();

        int code = run(blocks);

        String all = outputs(blocks.size());
        assertThat(code).as("what the shell said:\n" + all).isZero();
        for (int i = 0; i < blocks.size(); i++) {
            String printed = withoutLayout(Files.readString(output(i)));
            for (String expected : blocks.get(i).expected()) {
                assertThat(printed).as("output of\n" + blocks.get(i).commands()).contains(withoutLayout(expected));
            }
        }
    }

    private int run(List<Block> blocks) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.give(folder, WorkspaceAccount.of(folder));
        BuiltToolgate.in(folder);
        Files.copy(Documents.ROOT.resolve("README.md"), folder.resolve("README.md"));
        StringBuilder script = new StringBuilder("set -eu -o pipefail\n");
        for (int i = 0; i < blocks.size(); i++) {
            script.append("exec >'")
                    .append(output(i))
                    .append("' 2>&1\n")
                    .append(blocks.get(i).commands());
        }
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", script.toString()).directory(folder.toFile());
        shell.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        shell.environment().put("TOOLGATE_URL", server.url());
        shell.environment().put("TOOLGATE_HOME", home.toString());
        shell.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        Process running = shell.start();
        try {
            assertThat(running.waitFor(4, TimeUnit.MINUTES)).as("ends").isTrue();
            return running.exitValue();
        } finally {
            running.destroyForcibly();
        }
    }

    // How wide a column is depends on what else is in the table.
    private static String withoutLayout(String text) {
        return text.replaceAll(" +", " ");
    }

    private Path output(int block) {
        return folder.resolve("output-" + block);
    }

    private String outputs(int blocks) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file : Stream.iterate(0, i -> i + 1)
                .limit(blocks)
                .map(this::output)
                .filter(Files::exists)
                .toList()) {
            all.append(Files.readString(file)).append('\n');
        }
        return all.toString();
    }
}
