package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.tools.shell.BashArguments;
import dev.toolgate.runtime.tools.shell.BashTool;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The caller learns why the sandbox ended a command. */
class BashOutOfMemoryTest extends SandboxAttacks {
    @TempDir
    Path spool;

    @Test
    void exceeding_the_memory_limit_fails_with_reason_and_output() throws Exception {
        // Each process stays within the limit per process.
        String greedy = "echo before; echo warned >&2;"
                + " for i in 1 2 3 4; do perl -e '$n = 85 << 20; $x = \"a\" x $n; sleep 20' & done; wait";

        ToolFailure failure = catchThrowableOfType(ToolFailure.class, () -> run(greedy));

        String why =
                "The command used more than 256 MiB of memory and was ended;" + " use less memory or raise the limit";
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.failure().message()).isEqualTo(why);
        assertThat(Objects.requireNonNull(failure.failure().partial()).text())
                .startsWith(why + "\n--- stdout ---\nbefore\n--- stderr ---\nwarned\n");
        assertThat(spool).isEmptyDirectory();
    }

    @Test
    void a_command_that_kills_itself_is_reported_by_exit_code() throws Exception {
        assertThat(run("exit 137").metadata()).containsEntry("exitCode", 137);
    }

    private Output run(String command) throws Exception {
        Workspace files = Workspace.open(
                fixture.workspace, null, DangerousPaths.standard(), PendingWrites.in(fixture.base.resolve("state")));
        BashTool tool = new BashTool(
                Workspaces.single(new OpenWorkspace(files, sandbox, SpoolFolder.open(spool))),
                Map::of,
                Platform.current(),
                Duration.ofMinutes(10));
        Call call = Call.of(Caller.local(), "bash", Json.MAPPER.createObjectNode());
        return tool.call(new BashArguments(command, null, null, null), new ToolContext(call, Bounds.none()));
    }
}
