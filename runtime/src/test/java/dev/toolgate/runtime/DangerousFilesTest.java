package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same dangerous paths apply to file tools and to commands in a real sandbox. */
class DangerousFilesTest {
    private static final String SECRET = "planted-secret-4711";

    @TempDir
    private Path folder;

    private Path workspace;

    @BeforeEach
    void make() throws IOException {
        workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        for (Path closed : List.of(folder, workspace)) {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        changeOwner(workspace);
    }

    @AfterEach
    void the_secret_still_exists() throws IOException {
        try (var files = Files.walk(workspace)) {
            assertThat(files.filter(Files::isRegularFile).anyMatch(this::holdsSecret))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".env",
                ".env.local",
                "credentials.json",
                "my-credentials/token.txt",
                "server.key",
                "server.pem",
                "store.jks",
                ".npmrc",
                ".pypirc",
                ".netrc",
                ".pgpass",
                "id_rsa",
                "id_ed25519",
                ".ssh/config",
                ".aws/credentials",
                ".kube/config",
                ".docker/config.json",
                "client_secret.txt",
                "a/b/c/d/e/f/.env",
                "a/b/c/d/e/f/server.key",
                "Deep/Er/CREDENTIALS.JSON"
            })
    void a_command_cannot_read_what_file_tools_refuse(String path) throws IOException {
        file(path, SECRET);

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertThat(call(runtime, "file_read", Map.of("path", path)).error()).isNotNull();
            assertSeesNothing(runtime, path);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mv a/b a/c; cat a/c/server.key",
                "mv a c; cat c/b/server.key",
                "ln a/b/server.key x; cat x",
                "rm a/b/server.key; cat a/b/server.key",
                "cp -r a /tmp/a; cat /tmp/a/b/server.key",
                "cat link",
                "dd if=a/b/server.key 2>/dev/null",
                "tar c . | cat",
                "echo replaced > a/b/server.key; cat a/b/server.key"
            })
    void a_masked_file_cannot_be_unmasked(String attack) throws IOException {
        file("a/b/server.key", SECRET);
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("a/b/server.key"));

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertThat(call(runtime, "bash", Map.of("command", attack + "; true"))
                            .outputText())
                    .doesNotContain(SECRET);
        }
        assertThat(workspace.resolve("a/b/server.key")).hasContent(SECRET);
    }

    @Test
    void the_target_of_a_link_with_a_dangerous_name_is_masked() throws IOException {
        file("plain/name.txt", SECRET);
        Files.createSymbolicLink(workspace.resolve("server.key"), Path.of("plain/name.txt"));

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertSeesNothing(runtime, "server.key");
            assertSeesNothing(runtime, "plain/name.txt");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".git/config", "nested/.git/config", ".git/modules/sub/config", ".git/config.worktree"})
    void a_git_config_with_a_credential_is_masked(String path) throws IOException {
        file(".git/HEAD", "ref: refs/heads/main\n");
        file(path, "[remote \"origin\"]\n\turl = https://ada:" + SECRET + "@git.example.com/shop.git\n");

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertSeesNothing(runtime, path);
        }
    }

    @Test
    void a_git_config_without_a_credential_is_read_only() throws IOException {
        file(".git/HEAD", "ref: refs/heads/main\n");
        file(".git/config", "[user]\n\tname = Ada\n");
        file(".git/modules/sub/config", "[user]\n\tname = Sub\n");
        file("sub/.git", "gitdir: ../.git/modules/sub\n");
        file("keep/server.key", SECRET);

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            String attack = "cat .git/config .git/modules/sub/config; for f in .git/config .git/modules/sub/config"
                    + " sub/.git; do echo bad > $f; done; mv .git/modules x; mv sub y; rm -rf .git/modules; true";
            assertThat(call(runtime, "bash", Map.of("command", attack)).outputText())
                    .contains("Ada", "Sub");
        }
        assertThat(workspace.resolve(".git/config")).content().contains("Ada");
        assertThat(workspace.resolve(".git/modules/sub/config")).content().contains("Sub");
        assertThat(workspace.resolve("sub/.git")).content().contains("gitdir");
    }

    @Test
    void an_operators_list_applies_to_file_tools_and_commands() throws IOException {
        file("plans/q3.plan", SECRET);
        file("server.key", "no secret here");

        try (LocalRuntime runtime = open(SandboxSettings.standard().with(DangerousPaths.of(List.of("*.plan"))))) {
            assertThat(call(runtime, "file_read", Map.of("path", "plans/q3.plan"))
                            .error())
                    .isNotNull();
            assertSeesNothing(runtime, "plans/q3.plan");
            assertThat(call(runtime, "file_read", Map.of("path", "server.key")).outputText())
                    .isEqualTo("no secret here");
            assertThat(call(runtime, "bash", Map.of("command", "cat server.key"))
                            .outputText())
                    .contains("no secret here");
        }
    }

    @Test
    void a_command_can_use_a_file_it_creates() throws IOException {
        file("keep/server.key", SECRET);

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertThat(call(runtime, "bash", Map.of("command", "echo mine > own.key; cat own.key"))
                            .outputText())
                    .contains("mine");
            assertThat(call(runtime, "bash", Map.of("command", "cat own.key; true"))
                            .outputText())
                    .doesNotContain("mine");
        }
    }

    @Test
    void installed_packages_are_not_searched() throws IOException {
        file("keep/server.key", SECRET);
        file("node_modules/credential-provider/index.js", "code");
        file(".venv/lib/python3/site-packages/botocore/credentials.py", "code");

        try (LocalRuntime runtime = open(SandboxSettings.standard())) {
            assertThat(call(
                                    runtime,
                                    "bash",
                                    Map.of("command", "cat node_modules/*/index.js .venv/lib/*/*/*/credentials.py"))
                            .outputText())
                    .contains("codecode");
        }
    }

    private static void assertSeesNothing(LocalRuntime runtime, String path) {
        ToolResult result = call(runtime, "bash", Map.of("command", "cat '" + path + "'; ls -R . ; true"));
        assertThat(result.status()).as(String.valueOf(result.outputText())).isEqualTo(ToolResult.Status.SUCCEEDED);
        assertThat(result.outputText()).doesNotContain(SECRET);
        assertThat(call(runtime, "bash", Map.of("command", "grep -r planted- . ; true"))
                        .outputText())
                .doesNotContain(SECRET);
    }

    private LocalRuntime open(SandboxSettings sandbox) throws IOException {
        return LocalRuntime.open(
                RuntimeSettings.of(workspace, folder.resolve("state")).with(sandbox));
    }

    private static ToolResult call(LocalRuntime runtime, String tool, Map<String, ?> arguments) {
        return runtime.router().execute(ToolRequest.of(tool, arguments));
    }

    private void file(String path, String content) throws IOException {
        Path file = workspace.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, content);
        for (Path each = file; !each.equals(workspace); each = Objects.requireNonNull(each.getParent())) {
            changeOwner(each);
        }
    }

    private void changeOwner(Path path) throws IOException {
        WorkspaceAccount.changeOwner(path, WorkspaceAccount.of(workspace));
    }

    private boolean holdsSecret(Path file) {
        try {
            return Files.readString(file).contains(SECRET);
        } catch (IOException unreadable) {
            return false;
        }
    }
}
