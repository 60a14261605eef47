package dev.toolgate.runtime.sandbox.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.Account;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class DirectoryStreamFilesTest extends RootedFilesContract {
    @Override
    RootedFiles at(Path root, Account account, PendingWrites pending) {
        return new DirectoryStreamFiles(root, account, pending);
    }

    @Test
    void refuses_links_that_stay_inside_too() throws Exception {
        folders.file("real/a.txt", "inside");
        Files.createSymbolicLink(folders.inside().resolve("link"), Path.of("real"));
        assertThat(failure(() -> read("link/a.txt"))).hasMessageContaining("outside the sandbox");
    }
}
