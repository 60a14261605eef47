package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkingDirectoryTest extends WithBash {

    @BeforeEach
    void make_folders() throws IOException {
        Files.createDirectories(bash.workspace.resolve("sub/deep"));
        Files.writeString(bash.workspace.resolve("file"), "x");
        Files.createDirectories(folder.resolve("secret"));
        Files.createDirectories(folder.resolve("workspace-of-another"));
    }

    @Test
    void is_the_workspace_by_default_or_a_folder_in_it() throws Exception {
        assertThat(pwd(null)).isEqualTo(bash.workspace.toString());
        assertThat(pwd("sub/deep")).isEqualTo(bash.workspace.resolve("sub/deep").toString());
        assertThat(pwd("./sub/../sub")).isEqualTo(bash.workspace.resolve("sub").toString());
        assertThat(pwd(bash.workspace.resolve("sub").toString()))
                .isEqualTo(bash.workspace.resolve("sub").toString());
        assertThat(pwd(".")).isEqualTo(bash.workspace.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..",
                "../secret",
                "/",
                "/etc",
                "sub/../../secret",
                "../workspace-of-another",
                "~",
                "/proc/self/root",
                "../no-such-folder",
                "/no/such/folder"
            })
    void anything_outside_is_refused_whether_it_exists_or_not(String cwd) {
        Failure failure = failure(cwd);

        assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failure.message()).contains("outside the workspace");
    }

    @Test
    void a_link_out_is_refused_without_revealing_its_target() throws IOException {
        Files.createSymbolicLink(bash.workspace.resolve("out"), folder.resolve("secret"));
        Files.createSymbolicLink(bash.workspace.resolve("probe"), folder.resolve("missing"));

        assertThat(failure("out").code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failure("out").message().replace("'out'", "it"))
                .isEqualTo(failure("probe").message().replace("'probe'", "it"));
        assertThat(failure("out/x").code()).isEqualTo(failure("probe/x").code());
    }

    @Test
    void a_link_inside_is_followed() throws Exception {
        Files.createSymbolicLink(bash.workspace.resolve("short"), Path.of("sub/deep"));

        assertThat(pwd("short")).isEqualTo(bash.workspace.resolve("sub/deep").toString());
    }

    @Test
    void a_workspace_configured_by_a_link_has_both_paths() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), bash.workspace);

        WorkingDirectory found = WorkingDirectory.find(link, link.resolve("sub").toString(), Platform.current());

        assertThat(found.workspace()).isEqualTo(bash.workspace);
        assertThat(found.cwd()).isEqualTo(bash.workspace.resolve("sub"));
    }

    @Test
    void a_missing_path_or_a_file_is_an_error() {
        assertThat(failure("nowhere"))
                .isEqualTo(Failure.of(
                        ErrorCode.FILE_NOT_FOUND, "The working directory 'nowhere' does not exist in the workspace"));
        assertThat(failure("file"))
                .isEqualTo(
                        Failure.of(ErrorCode.INVALID_REQUEST, "Field 'cwd' must name a folder, and 'file' is not one"));
        assertThat(failure("a\0b"))
                .isEqualTo(Failure.of(
                        ErrorCode.INVALID_REQUEST,
                        "Field 'cwd' is not a usable path: The path contains a NUL character"));
        assertThat(failure("").code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure("x".repeat(5_000)).code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    private String pwd(@Nullable String cwd) throws Exception {
        return BashFixture.result(bash.tool.call(new BashArguments("pwd -P", cwd, null, null), within(Bounds.none())))
                .stdout()
                .strip();
    }

    private Failure failure(String cwd) {
        return catchThrowableOfType(
                        ToolFailure.class,
                        () -> bash.tool.call(new BashArguments("pwd", cwd, null, null), within(Bounds.none())))
                .failure();
    }
}
