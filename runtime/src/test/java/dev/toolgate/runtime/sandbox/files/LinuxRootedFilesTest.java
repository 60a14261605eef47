package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxRootedFilesTest extends RootedFilesContract {
    @Override
    RootedFiles at(Path root, Account account, PendingWrites pending) {
        return new LinuxRootedFiles(root, account, pending);
    }

    @Test
    void follows_links_that_stay_inside() throws Exception {
        Path file = folders.file("real/a.txt", "inside");
        Files.createSymbolicLink(folders.inside().resolve("relative"), Path.of("real"));
        Files.createSymbolicLink(
                folders.inside().resolve("absolute"), folders.inside().resolve("real"));
        Files.createSymbolicLink(folders.inside().resolve("real/up"), Path.of("../real/a.txt"));
        assertThat(read("relative/a.txt")).isEqualTo("inside");
        assertThat(read("absolute/a.txt")).isEqualTo("inside");
        assertThat(read("real/up")).isEqualTo("inside");
        write("relative/new.txt", "x");
        write("absolute/deep/new.txt", "y");
        assertThat(folders.inside().resolve("real/new.txt")).hasContent("x");
        assertThat(folders.inside().resolve("real/deep/new.txt")).hasContent("y");
        write("real/up", "changed");
        assertThat(file).hasContent("changed");
        assertThat(folders.inside().resolve("real/up")).isSymbolicLink();
    }

    @Test
    void keeps_working_when_the_root_is_recreated() throws Exception {
        Files.delete(folders.inside());
        Files.createDirectory(folders.inside());
        folders.file("a.txt", "again");
        assertThat(read("a.txt")).isEqualTo("again");
    }

    @Test
    void a_write_during_a_swap_is_never_lost() throws Exception {
        Path file = folders.file("raced.txt", "0");
        AtomicBoolean over = new AtomicBoolean();
        Thread swapping = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                try {
                    String now = read("raced.txt");
                    boolean _ = swap("raced.txt", now, "after " + now.replaceAll("\\D", ""));
                } catch (Exception changing) {
                    assertThat(changing).isInstanceOf(ToolFailure.class);
                }
            }
        });
        try {
            for (int round = 1; round <= 150; round++) {
                String written = Integer.toString(round);
                Files.move(folders.file("new.txt", written), file, StandardCopyOption.ATOMIC_MOVE);
                // A swap that raced with this write must restore it; a later swap starts from it.
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> Set.of(written, "after " + written).contains(Files.readString(file)));
            }
        } finally {
            over.set(true);
            swapping.join();
        }
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void is_supported_on_this_machine() {
        assertThat(LinuxRootedFiles.isSupported()).isTrue();
    }
}
