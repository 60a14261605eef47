package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxFixture.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory limit by cgroup, on machines where the test can create one. */
class MemoryCgroupTest extends WithSandboxFixture {
    private static final Path HIERARCHY = Path.of("/sys/fs/cgroup/memory");

    private final Path delegated = HIERARCHY.resolve("toolgate-test-" + System.nanoTime());

    @AfterEach
    void remove_the_group() throws Exception {
        Files.deleteIfExists(delegated);
    }

    @Test
    void the_limit_includes_tmpfs_and_all_processes() throws Exception {
        assumeTrue(SandboxFixture.runsAsRoot() && Files.isWritable(HIERARCHY), "only root can create cgroups");
        Files.createDirectory(delegated);
        try (BubblewrapSandbox sandbox =
                fixture.sandbox(SandboxFixture.smallSettings().withMemoryCgroup(delegated))) {
            assertThat(fixture.confined(sandbox, "echo fine").endReason()).isEmpty();
            Result result = fixture.confined(
                    sandbox, "for i in 1 2 3 4; do perl -e '$x = \"a\" x (55 << 20); $y = $x; sleep 20' & done; wait");

            assertThat(result.endReason()).isPresent();
            assertThat(groups()).isZero();
        }
    }

    @Test
    void commands_are_refused_if_the_cgroup_is_unusable() throws Exception {
        Path notAGroup = fixture.folder(fixture.base.resolve("not-a-group"));
        try (BubblewrapSandbox sandbox =
                fixture.sandbox(SandboxFixture.smallSettings().withMemoryCgroup(notAGroup.resolve("missing")))) {
            assertThatThrownBy(() -> fixture.confined(sandbox, "touch made"))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("delegate a cgroup");
            assertThat(fixture.workspace.resolve("made")).doesNotExist();
        }
    }

    private long groups() throws IOException {
        try (Stream<Path> folders = Files.list(delegated)) {
            return folders.filter(Files::isDirectory).count();
        }
    }
}
