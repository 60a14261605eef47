package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.bubblewrap.Ground.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory limited by the kernel, on machines where a control group can be made for the test. */
class MemoryCgroupTest extends WithGround {
    private static final Path HIERARCHY = Path.of("/sys/fs/cgroup/memory");

    private final Path delegated = HIERARCHY.resolve("toolgate-test-" + System.nanoTime());

    @AfterEach
    void remove_the_group() throws Exception {
        Files.deleteIfExists(delegated);
    }

    @Test
    void the_kernel_counts_private_folders_and_all_processes() throws Exception {
        assumeTrue(Ground.runsAsRoot() && Files.isWritable(HIERARCHY), "Only root makes control groups");
        Files.createDirectory(delegated);
        try (BubblewrapSandbox sandbox = ground.sandbox(Ground.smallSettings().withMemoryCgroup(delegated))) {
            assertThat(ground.confined(sandbox, "echo fine").endedBecause()).isEmpty();
            Result result = ground.confined(
                    sandbox, "for i in 1 2 3 4; do perl -e '$x = \"a\" x (55 << 20); $y = $x; sleep 20' & done; wait");

            assertThat(result.endedBecause()).isPresent();
            assertThat(groups()).isZero();
        }
    }

    @Test
    void nothing_runs_where_the_group_cannot_be_used() throws Exception {
        Path notAGroup = ground.folder(ground.base.resolve("not-a-group"));
        try (BubblewrapSandbox sandbox =
                ground.sandbox(Ground.smallSettings().withMemoryCgroup(notAGroup.resolve("missing")))) {
            assertThatThrownBy(() -> ground.confined(sandbox, "touch made"))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("delegate a group");
            assertThat(ground.workspace.resolve("made")).doesNotExist();
        }
    }

    private long groups() throws IOException {
        try (Stream<Path> folders = Files.list(delegated)) {
            return folders.filter(Files::isDirectory).count();
        }
    }
}
