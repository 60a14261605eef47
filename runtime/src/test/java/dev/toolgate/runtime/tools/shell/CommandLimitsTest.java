package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.command;
import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of a session, enforced by the tool in addition to the pipeline. */
class CommandLimitsTest extends WithBash {

    @Test
    void a_disallowed_command_is_capability_denied_and_not_run() {
        Bounds onlyEcho = new Bounds(null, null, null, null, List.of(), null, List.of("echo"), List.of());
        Bounds noTouch = new Bounds(null, null, null, null, List.of(), null, null, List.of("touch"));

        for (Bounds bounds : List.of(onlyEcho, noTouch)) {
            ToolFailure denied = catchThrowableOfType(
                    ToolFailure.class, () -> bash.tool.call(command("echo a; touch made", null), within(bounds)));

            assertThat(denied.failure().code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
            assertThat(denied.failure().message()).contains("'touch'");
        }
        assertThat(bash.workspace).isEmptyDirectory();
    }

    @Test
    void the_preview_of_a_disallowed_command_is_denied() {
        Bounds onlyEcho = new Bounds(null, null, null, null, List.of(), null, List.of("echo"), List.of());

        assertThat(catchThrowableOfType(
                                ToolFailure.class, () -> bash.tool.preview(command("ls", null), within(onlyEcho)))
                        .failure()
                        .code())
                .isEqualTo(ErrorCode.CAPABILITY_DENIED);
    }

    @Test
    void a_sandbox_that_cannot_enforce_the_limits_denies() {
        for (Bounds bounds : List.of(
                new Bounds(null, null, null, List.of("src"), List.of(), null, null, List.of()),
                new Bounds(null, null, null, null, List.of("secret"), null, null, List.of()),
                Bounds.sizes(3L, null))) {
            assertThat(catchThrowableOfType(ToolFailure.class, () -> WorkspaceView.within(bounds)
                                    .requireWhole())
                            .failure()
                            .code())
                    .isEqualTo(ErrorCode.CAPABILITY_DENIED);
        }
    }

    @Test
    void paths_outside_the_workspace_are_permission_denied() throws Exception {
        Files.createSymbolicLink(bash.workspace.resolve("out"), folder);

        assertThat(catchThrowableOfType(
                                ToolFailure.class,
                                () -> bash.tool.call(new BashArguments("ls", "out", null, null), within(Bounds.none())))
                        .failure()
                        .code())
                .isEqualTo(ErrorCode.PERMISSION_DENIED);
    }
}
