package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.store.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The home of root, which no other account can enter. */
class ClosedHomeTest {
    @TempDir
    Path closed;

    @Test
    void the_database_lies_where_its_account_can_reach_it_and_is_found_again() throws Exception {
        assumeTrue(Account.current().isRoot(), "Only root's database runs under another account");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        Path home = closed.resolve("inner/home");

        EmbeddedPostgres first = EmbeddedPostgres.start(home);
        Path folder = first.folder();
        try (first) {
            Sql.run(first.url(), "CREATE TABLE kept AS SELECT 'still here' AS line");
            assertThat(folder).startsWith(Path.of("/var/lib/toolgate"));
            assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(PosixFilePermissions.fromString("rwx--x--x"));
            assertThat(Files.getAttribute(folder, "unix:uid")).isEqualTo(0);
            assertThat(Files.getPosixFilePermissions(closed)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
        // Also when the home has been opened meanwhile.
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedPostgres second = EmbeddedPostgres.start(home)) {
            assertThat(Sql.ask(second.url(), "SELECT line FROM kept")).isEqualTo("still here");
        } finally {
            Folders.delete(folder);
        }
    }
}
