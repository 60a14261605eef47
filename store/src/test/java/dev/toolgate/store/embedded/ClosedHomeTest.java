package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.store.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A home of root that no other account can enter. */
class ClosedHomeTest {
    @TempDir
    Path closed;

    private final Set<Path> folders = new HashSet<>();

    @BeforeEach
    void onlyForRoot() throws IOException {
        assumeTrue(PostgresAccount.current().isRoot(), "Only root's database runs under another account");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void removeFolders() throws IOException {
        for (Path folder : folders) {
            Folders.delete(folder);
        }
    }

    @Test
    void the_database_is_in_a_folder_that_its_account_can_enter() throws Exception {
        Path home = closed.resolve("inner/home");
        try (EmbeddedPostgres first = EmbeddedPostgres.start(home)) {
            folders.add(first.folder());
            Sql.run(first.url(), "CREATE TABLE kept AS SELECT 'still here' AS line");

            assertThat(first.folder()).startsWith(Path.of("/var/lib/toolgate"));
            assertThat(first.folder().resolve("home")).hasContent(home.toString());
            assertThat(permissions(first.folder())).isEqualTo("rwx--x--x");
            assertThat(permissions(first.folder().resolve("data"))).isEqualTo("rwx------");
            assertThat(permissions(closed)).isEqualTo("rwx------");
        }
        // It stays there, even if the home has become accessible.
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedPostgres second = EmbeddedPostgres.start(home)) {
            assertThat(folders).contains(second.folder());
            assertThat(Sql.ask(second.url(), "SELECT line FROM kept")).isEqualTo("still here");
        }
    }

    @Test
    void a_deleted_home_starts_with_a_new_database() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        DatabaseLocation first = DatabaseLocation.of(home);
        folders.add(first.folder());
        Folders.delete(home);
        DatabaseLocation second = DatabaseLocation.of(Files.createDirectory(home));
        folders.add(second.folder());

        assertThat(second.folder()).isNotEqualTo(first.folder());
        assertThat(DatabaseLocation.of(home)).isEqualTo(second);
    }

    @Test
    void existing_data_keeps_its_account() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        DatabaseLocation first = DatabaseLocation.of(home);
        folders.add(first.folder());
        PostgresAccount earlier = new PostgresAccount("4711", 4711, 4712);
        earlier.own(Files.createDirectory(first.data()));

        assertThat(DatabaseLocation.of(home).account()).isEqualTo(earlier);
    }

    @Test
    void in_a_home_of_another_account_the_database_runs_as_that_account() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        PostgresAccount owner = PostgresAccount.byName("daemon").orElseThrow();
        owner.own(home);
        Files.writeString(home.resolve("database.location"), "/etc");

        assertThat(DatabaseLocation.of(home)).isEqualTo(new DatabaseLocation(home, owner));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
