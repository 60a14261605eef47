package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.runtime.sandbox.command.bubblewrap.Ground.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workspace behind a folder that only root may enter, as root's own home is. */
class ClosedHomeTest {
    private Ground ground;
    private BubblewrapSandbox sandbox;

    @BeforeEach
    void close_the_folder_above() throws Exception {
        assumeTrue(Ground.runsAsRoot(), "only root can be in such a place");
        ground = new Ground();
        Files.writeString(ground.base.resolve("roots-secret"), "top secret");
        Files.setPosixFilePermissions(ground.base, PosixFilePermissions.fromString("rwx------"));
        sandbox = ground.sandbox(Ground.smallSettings());
    }

    @AfterEach
    void open_it_again() throws Exception {
        if (sandbox != null) {
            sandbox.close();
            ground.close();
        }
    }

    @Test
    void commands_run_in_the_workspace_and_what_they_write_is_there() throws Exception {
        Result result = ground.confined(sandbox, "pwd; id -u; echo hello > made.txt");

        assertThat(result.out()).isEqualTo(ground.workspace + "\n" + ground.account.uid() + "\n");
        assertThat(ground.workspace.resolve("made.txt")).hasContent("hello");
        assertThat(Files.getAttribute(ground.workspace.resolve("made.txt"), "unix:uid"))
                .isEqualTo(ground.account.uid());
    }

    @Test
    void nothing_else_of_the_closed_folder_can_be_seen() throws Exception {
        Path secret = ground.base.resolve("roots-secret");

        Result result = ground.confined(sandbox, "ls " + ground.base + "; cat " + secret + "; cat ../roots-secret");

        assertThat(result.out()).isEqualTo("workspace\n");
        assertThat(result.out() + result.err()).doesNotContain("top secret");
    }

    @Test
    void the_folder_stays_closed_and_no_mount_is_left_behind() throws Exception {
        ground.confined(sandbox, "true");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ground.base)))
                .isEqualTo("rwx------");
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(ground.base.toString());
    }

    @Test
    void commands_run_beside_a_repository_that_belongs_to_root() throws Exception {
        Files.createDirectory(ground.workspace.resolve(".git"));

        assertThat(ground.confined(sandbox, "ls -d .git; echo x > .git/config.worktree || echo refused")
                        .out())
                .isEqualTo(".git\nrefused\n");
        assertThat(ground.workspace.resolve(".git")).isEmptyDirectory();
    }
}
