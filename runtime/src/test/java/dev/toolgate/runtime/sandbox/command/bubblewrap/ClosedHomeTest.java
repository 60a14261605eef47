package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxFixture.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workspace in a folder that only root may enter, such as root's home. */
class ClosedHomeTest {
    private SandboxFixture fixture;
    private BubblewrapSandbox sandbox;

    @BeforeEach
    void close_the_folder_above() throws Exception {
        assumeTrue(SandboxFixture.runsAsRoot(), "needs root");
        fixture = new SandboxFixture();
        Files.writeString(fixture.base.resolve("roots-secret"), "top secret");
        Files.setPosixFilePermissions(fixture.base, PosixFilePermissions.fromString("rwx------"));
        sandbox = fixture.sandbox(SandboxFixture.smallSettings());
    }

    @AfterEach
    void open_it_again() throws Exception {
        if (sandbox != null) {
            sandbox.close();
            fixture.close();
        }
    }

    @Test
    void commands_run_and_write_in_the_workspace() throws Exception {
        Result result = fixture.confined(sandbox, "pwd; id -u; echo hello > made.txt");

        assertThat(result.out()).isEqualTo(fixture.workspace + "\n" + fixture.account.uid() + "\n");
        assertThat(fixture.workspace.resolve("made.txt")).hasContent("hello");
        assertThat(Files.getAttribute(fixture.workspace.resolve("made.txt"), "unix:uid"))
                .isEqualTo(fixture.account.uid());
    }

    @Test
    void nothing_else_in_the_closed_folder_is_visible() throws Exception {
        Path secret = fixture.base.resolve("roots-secret");

        Result result = fixture.confined(sandbox, "ls " + fixture.base + "; cat " + secret + "; cat ../roots-secret");

        assertThat(result.out()).isEqualTo("workspace\n");
        assertThat(result.out() + result.err()).doesNotContain("top secret");
    }

    @Test
    void the_folder_stays_closed_and_no_mount_is_left_behind() throws Exception {
        fixture.confined(sandbox, "true");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fixture.base)))
                .isEqualTo("rwx------");
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(fixture.base.toString());
    }

    @Test
    void commands_run_with_a_repository_owned_by_root() throws Exception {
        Files.createDirectory(fixture.workspace.resolve(".git"));

        assertThat(fixture.confined(sandbox, "ls -d .git; echo x > .git/config.worktree || echo refused")
                        .out())
                .isEqualTo(".git\nrefused\n");
        assertThat(fixture.workspace.resolve(".git")).isEmptyDirectory();
    }
}
