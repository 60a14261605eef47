package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** If this process is root, file tools do only what the workspace's account could do. */
@EnabledIf("isRoot")
class RootPermissionsTest {
    private static final int OWNER = 12_345;

    @TempDir
    Path temporary;

    Path root;
    Workspace workspace;

    static boolean isRoot() {
        return WorkspaceAccount.current().isRoot();
    }

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectory(temporary.resolve("workspace"));
        own(root, OWNER);
        workspace = Workspace.open(root, null, DangerousPaths.standard(), PendingWrites.in(temporary.resolve("state")));
    }

    @Test
    void new_files_belong_to_the_owner_of_the_workspace() throws Exception {
        at("new/deep/file.txt").write(new byte[1], Parents.CREATE);
        for (String made : new String[] {"new", "new/deep", "new/deep/file.txt"}) {
            assertThat(Files.getAttribute(root.resolve(made), "unix:uid")).isEqualTo(OWNER);
            assertThat(Files.getAttribute(root.resolve(made), "unix:gid")).isEqualTo(OWNER);
        }
    }

    @Test
    void a_file_the_account_cannot_read_is_refused() throws Exception {
        file("private.txt", "rw-------");
        ToolFailure failure = denied(() -> at("private.txt").open());
        assertThat(failure).hasMessageContaining("account '12345'").hasMessageContaining("read 'private.txt'");
    }

    @Test
    void a_read_only_file_is_read_but_not_replaced() throws Exception {
        Path file = file("shown.txt", "rw-r--r--");
        at("shown.txt").open().close();
        denied(() -> at("shown.txt").write(new byte[1], Parents.CREATE));
        assertThat(file).hasContent("of root");
    }

    @Test
    void a_folder_the_account_cannot_change_is_not_changed() throws Exception {
        Path folder = folder("roots", "rwxr-xr-x");
        Path file = Files.writeString(folder.resolve("a.txt"), "of root");
        own(file, OWNER);
        denied(() -> at("roots/new.txt").write(new byte[1], Parents.CREATE));
        denied(() -> at("roots/deeper/new.txt").write(new byte[1], Parents.CREATE));
        denied(() -> at("roots/a.txt").write(new byte[1], Parents.CREATE));
        denied(() -> at("roots/a.txt").delete());
        assertThat(at("roots").list(10).total()).isEqualTo(1);
        assertThat(file).hasContent("of root");
    }

    @Test
    void a_folder_the_account_cannot_enter_is_refused() throws Exception {
        Path folder = folder("closed", "rwx------");
        Path file = Files.writeString(folder.resolve("a.txt"), "of root");
        own(file, OWNER);
        denied(() -> at("closed").list(10));
        denied(() -> at("closed/a.txt").open());
        denied(() -> at("closed/a.txt").delete());
        Files.createDirectory(folder.resolve("open"));
        own(folder.resolve("open"), OWNER);
        denied(() -> at("closed/open/new.txt").write(new byte[1], Parents.CREATE));
        denied(() -> at("closed/open/deep/new.txt").write(new byte[1], Parents.CREATE));
    }

    @Test
    void files_of_others_in_a_sticky_folder_are_kept() throws Exception {
        Path folder = folder("sticky", "rwxrwxrwx");
        Files.setAttribute(folder, "unix:mode", 01777);
        Files.writeString(folder.resolve("a.txt"), "of root");
        denied(() -> at("sticky/a.txt").delete());
        at("sticky/mine.txt").write(new byte[1], Parents.CREATE);
        at("sticky/mine.txt").delete();
    }

    @Test
    void the_account_is_the_owner_of_the_workspace() throws Exception {
        Account account = WorkspaceAccount.of(root);
        assertThat(account).isEqualTo(new Account("12345", OWNER, OWNER));
    }

    @Test
    void a_workspace_of_root_is_given_to_an_existing_account() throws Exception {
        Path roots = Files.createDirectory(temporary.resolve("roots"));
        Account account = WorkspaceAccount.of(roots);
        assertThat(account.name()).isIn("toolgate", "nobody");
        assertThat(account.isRoot()).isFalse();
        assertThat(WorkspaceAccount.writeProblem(roots, account)).hasValueSatisfying(sentence -> assertThat(sentence)
                .contains("'" + account.name() + "'")
                .contains(roots.toString())
                .endsWith("run: chown " + account.uid() + ":" + account.gid() + " " + roots));
        WorkspaceAccount.changeOwner(roots, account);
        assertThat(Files.getAttribute(roots, "unix:uid")).isEqualTo(account.uid());
        assertThat(WorkspaceAccount.of(roots)).isEqualTo(account);
    }

    @Test
    void finds_the_closed_parent_of_a_workspace() throws Exception {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
        Path real = root.toRealPath();
        assertThat(WorkspaceAccount.closedParent(real, WorkspaceAccount.of(real)))
                .contains(temporary.toRealPath());
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(WorkspaceAccount.closedParent(real, WorkspaceAccount.of(real)))
                .isEmpty();
    }

    private WorkspaceFile at(String path) throws ToolFailure {
        return workspace.locate(path, Access.WRITE, Bounds.none());
    }

    private Path file(String name, String mode) throws Exception {
        Path file = Files.writeString(root.resolve(name), "of root");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private Path folder(String name, String mode) throws Exception {
        Path folder = Files.createDirectory(root.resolve(name));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    }

    private static void own(Path path, int uid) throws Exception {
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
    }

    private static ToolFailure denied(ThrowingCallable action) {
        ToolFailure failure = RootedFilesContract.failure(action);
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        return failure;
    }
}
