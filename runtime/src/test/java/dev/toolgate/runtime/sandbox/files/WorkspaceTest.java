package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceTest {
    @TempDir
    Path temporary;

    Folders folders;
    Workspace workspace;

    @BeforeEach
    void open() {
        folders = Folders.in(temporary);
        workspace = folders.workspace();
    }

    @Test
    void ac3_path_traversal_is_refused() {
        ToolFailure failure = refusal("../../etc/passwd", Access.READ);
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(failure).hasMessageContaining("path traversal").hasMessageContaining("outside the sandbox");
    }

    @Test
    void ac4_a_symlink_to_a_file_outside_is_refused() throws Exception {
        Files.createSymbolicLink(folders.inside().resolve("link"), Path.of("/etc/passwd"));
        assertThat(refusal("link", Access.READ)).hasMessageContaining("outside the sandbox");
    }

    @Test
    void ac5_a_path_inside_is_returned_resolved_and_absolute() throws Exception {
        Path expected = folders.inside().toRealPath().resolve("src/new.txt");
        assertThat(workspace.validatePath("src/new.txt", Access.WRITE)).isEqualTo(expected);
        assertThat(workspace.validatePath("./src/../src//new.txt", Access.WRITE))
                .isEqualTo(expected);
        assertThat(workspace.validatePath(expected.toString(), Access.WRITE)).isEqualTo(expected);
        folders.file("real/a.txt", "x");
        Files.createSymbolicLink(folders.inside().resolve("link"), Path.of("real"));
        assertThat(workspace.validatePath("link/a.txt", Access.READ))
                .isEqualTo(folders.inside().toRealPath().resolve("real/a.txt"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".env",
                ".ENV",
                ".env.local",
                "deep/.env",
                ".git/config",
                "sub/.git/config",
                ".git/modules/lib/config",
                ".git/modules/libs/lib/config",
                ".git/modules/lib/modules/inner/config",
                ".git/worktrees/other/config.worktree",
                "my-credentials.json",
                "CLIENT_SECRET.txt",
                "secrets/a.txt",
                "id_rsa",
                "id_ed25519",
                "server.pem",
                "server.key",
                "store.p12",
                ".ssh/known_hosts",
                ".aws/config",
                ".netrc",
                ".npmrc",
                ".env. "
            })
    void ac6_dangerous_paths_are_refused_for_reading_and_writing(String path) {
        for (Access access : Access.values()) {
            ToolFailure failure = refusal(path, access);
            assertThat(failure).hasMessageContaining("dangerous path");
            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
    }

    @Test
    void ac6_a_dangerous_path_is_refused_also_through_a_link() throws Exception {
        folders.file(".env", "TOKEN=1");
        Files.createSymbolicLink(folders.inside().resolve("harmless.txt"), Path.of(".env"));
        assertThat(refusal("harmless.txt", Access.READ)).hasMessageContaining("dangerous path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"environment.txt", "src/env.java", ".github/config", ".gitignore", "keyboard.txt", "monkey.java"
            })
    void harmless_names_are_not_mistaken_for_dangerous_ones(String path) throws Exception {
        assertThat(workspace.validatePath(path, Access.WRITE))
                .isEqualTo(folders.inside().toRealPath().resolve(path));
    }

    @Test
    void git_hooks_can_be_read_but_not_written() throws Exception {
        assertThat(workspace.validatePath(".git/hooks/pre-commit", Access.READ)).isNotNull();
        assertThat(refusal(".git/hooks/pre-commit", Access.WRITE)).hasMessageContaining("dangerous path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git",
                "sub/.git",
                ".git/commondir",
                ".git/modules/libs/lib/hooks/post-checkout",
                ".git/worktrees/other/commondir"
            })
    void files_that_make_git_run_programs_cannot_be_written(String path) throws Exception {
        assertThat(workspace.validatePath(path, Access.READ)).isNotNull();
        assertThat(refusal(path, Access.WRITE)).hasMessageContaining("dangerous path");
    }

    @Test
    void the_list_of_dangerous_paths_can_be_changed() throws Exception {
        Workspace other = workspace(null, new DangerousPaths(List.of("*.xyz"), List.of()));
        assertThat(other.validatePath(".env", Access.READ)).isNotNull();
        assertThat(RootedFilesContract.failure(() -> other.validatePath("a.XYZ", Access.READ)))
                .hasMessageContaining("dangerous path");
    }

    @Test
    void the_central_root_is_part_of_the_workspace() throws Exception {
        Path central = Files.createDirectory(temporary.resolve("central"));
        Workspace both = workspace(central, DangerousPaths.standard());
        Path file = central.resolve("notes.txt");
        assertThat(both.validatePath(file.toString(), Access.READ))
                .isEqualTo(central.toRealPath().resolve("notes.txt"));
        assertThat(both.validatePath(file.toString(), Access.WRITE))
                .isEqualTo(central.toRealPath().resolve("notes.txt"));
        Files.createSymbolicLink(folders.inside().resolve("to-central"), central);
        assertThat(both.validatePath("to-central/notes.txt", Access.READ))
                .isEqualTo(central.toRealPath().resolve("notes.txt"));
        assertThat(RootedFilesContract.failure(
                        () -> both.validatePath(folders.victim().toString(), Access.READ)))
                .hasMessageContaining("outside the sandbox");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\ud800"})
    void an_invalid_path_is_an_invalid_request(String path) {
        assertThat(refusal(path, Access.READ).failure().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void a_sibling_whose_name_begins_like_the_root_is_outside() {
        assertThat(refusal(folders.inside() + "-other/file", Access.READ)).hasMessageContaining("outside the sandbox");
    }

    @Test
    void a_root_that_is_a_link_works_by_both_paths() throws Exception {
        folders.file("a.txt", "x");
        Path alias = Files.createSymbolicLink(temporary.resolve("alias"), folders.inside());
        Workspace linked = Workspace.open(alias, null, DangerousPaths.standard(), folders.pending());
        Path expected = folders.inside().toRealPath().resolve("a.txt");
        assertThat(linked.validatePath(alias.resolve("a.txt").toString(), Access.READ))
                .isEqualTo(expected);
        assertThat(linked.validatePath(expected.toString(), Access.READ)).isEqualTo(expected);
        assertThat(linked.validatePath("a.txt", Access.READ)).isEqualTo(expected);
    }

    @Test
    void allowed_and_blocked_paths_are_enforced() throws Exception {
        folders.file("src/main/A.java", "a");
        folders.file("src/gen/B.java", "b");
        folders.file("doc/c.md", "c");
        Files.createSymbolicLink(folders.inside().resolve("src/link"), Path.of("../doc"));
        Bounds bounds = bounds(List.of("src"), List.of("src/gen"));
        workspace.locate("src/main/A.java", Access.READ, bounds).open().close();
        assertThat(denied("src/gen/B.java", bounds)).hasMessageContaining("blocked");
        assertThat(denied("doc/c.md", bounds)).hasMessageContaining("allows");
        WorkspaceFile linked = workspace.locate("src/link/c.md", Access.READ, bounds);
        assertThat(RootedFilesContract.failure(linked::open)).hasMessageContaining("allows");
        assertThat(denied("src", bounds(List.of(), List.of()))).hasMessageContaining("allows");
    }

    @Test
    void policy_paths_may_be_globs_and_absolute() throws Exception {
        Bounds java = bounds(List.of("**/*.java"), List.of("**/gen/**"));
        assertThat(workspace.locate("A.java", Access.READ, java)).isNotNull();
        assertThat(workspace.locate("src/deep/A.java", Access.READ, java)).isNotNull();
        denied("src/A.txt", java);
        denied("src/gen/A.java", java);
        Bounds absolute = bounds(List.of(folders.inside() + "/src"), List.of(folders.inside() + "/src/*.key"));
        assertThat(workspace.locate("src/A.java", Access.READ, absolute)).isNotNull();
        denied("other/A.java", absolute);
        denied("A.java", bounds(List.of("[broken"), List.of()));
        denied("A.java", bounds(null, List.of("[broken")));
    }

    private static Bounds bounds(@Nullable List<String> allowed, List<String> blocked) {
        return new Bounds(null, null, null, allowed, blocked, null, null, List.of());
    }

    private ToolFailure denied(String path, Bounds bounds) {
        ToolFailure failure = RootedFilesContract.failure(() -> workspace.locate(path, Access.READ, bounds));
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        return failure;
    }

    private Workspace workspace(@Nullable Path central, DangerousPaths dangerous) throws Exception {
        PendingWrites pending = folders.pending();
        return new Workspace(
                folders.inside(),
                central,
                Platform.current(),
                dangerous,
                root -> RootedFiles.at(root, folders.account(), pending));
    }

    private ToolFailure refusal(String path, Access access) {
        return RootedFilesContract.failure(() -> workspace.validatePath(path, access));
    }
}
