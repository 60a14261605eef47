package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.Account;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxBeneathTest extends BeneathContract {
    @Override
    Beneath beneath(Path root, Account account, PendingWrites pending) {
        return new LinuxBeneath(root, account, pending);
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
    void keeps_working_when_the_root_is_removed_and_made_again() throws Exception {
        Files.delete(folders.inside());
        Files.createDirectory(folders.inside());
        folders.file("a.txt", "again");
        assertThat(read("a.txt")).isEqualTo("again");
    }

    @Test
    void is_what_is_used_here() {
        assertThat(LinuxBeneath.works()).isTrue();
    }
}
