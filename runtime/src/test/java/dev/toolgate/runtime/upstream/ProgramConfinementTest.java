package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.CommandEnvironment;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.RefusingSandbox;
import dev.toolgate.runtime.sandbox.command.degraded.DegradedSandbox;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Server programs on machines without bubblewrap. */
class ProgramConfinementTest {
    @TempDir
    private Path folder;

    private Path workspace;

    @BeforeEach
    void makeWorkspace() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        workspace = Files.createDirectory(folder.resolve("workspace")).toRealPath();
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/mcp/nasty_server.py"))) {
            Files.copy(in, workspace.resolve("server.py"));
        }
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
    }

    private Upstream open(CommandSandbox sandbox) {
        UpstreamEndpoint.Program program = UpstreamEndpoint.Program.of(
                List.of("/usr/bin/python3", workspace.resolve("server.py").toString()));
        ProgramConnector connector = new ProgramConnector(
                program,
                () -> new OpenWorkspace(
                        Workspace.open(
                                workspace, null, DangerousPaths.standard(), PendingWrites.in(folder.resolve("state"))),
                        sandbox,
                        SpoolFolder.open(folder.resolve("state").resolve("spool"))),
                CommandEnvironment.standard()::variables);
        return new Upstream(UpstreamSettings.of("nasty", program), connector, UpstreamListener.NONE, BackOff.DEFAULT);
    }

    @Test
    void programs_are_not_started_without_confinement() {
        try (Upstream upstream = open(new RefusingSandbox("bubblewrap is not installed; to fix it: install it"))) {
            McpFailure refused = catchThrowableOfType(McpFailure.class, upstream::refresh);

            assertThat(refused.kind()).isEqualTo(McpFailureKind.UNREACHABLE);
            assertThat(refused)
                    .hasMessage("The server program was not started: The command was not run: bubblewrap is not"
                            + " installed; to fix it: install it");
        }
    }

    @Test
    void programs_run_in_the_degraded_sandbox() throws Exception {
        try (DegradedSandbox sandbox = new DegradedSandbox(ProgramConfinementTest::account);
                Upstream upstream = open(sandbox)) {
            assertThat(UncheckedCalls.call(
                                    upstream,
                                    "echo",
                                    Json.MAPPER.createObjectNode().put("text", "hello"))
                            .path("content")
                            .path(0)
                            .path("text")
                            .asString())
                    .isEqualTo("Echo: hello");
        }
    }

    private static Account account(Path folder) {
        try {
            return WorkspaceAccount.of(folder);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
