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

/** The home of root, which no other account can enter. */
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
    void the_database_lies_where_its_account_can_reach_it_and_is_found_again() throws Exception {
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
        // Also when the home has been opened meanwhile.
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedPostgres second = EmbeddedPostgres.start(home)) {
            assertThat(folders).contains(second.folder());
            assertThat(Sql.ask(second.url(), "SELECT line FROM kept")).isEqualTo("still here");
        }
    }

    @Test
    void a_home_that_was_deleted_begins_anew() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        Place first = Place.of(home);
        folders.add(first.folder());
        Folders.delete(home);
        Place second = Place.of(Files.createDirectory(home));
        folders.add(second.folder());

        assertThat(second.folder()).isNotEqualTo(first.folder());
        assertThat(Place.of(home)).isEqualTo(second);
    }

    @Test
    void data_keeps_the_account_it_was_made_for() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        Place first = Place.of(home);
        folders.add(first.folder());
        PostgresAccount earlier = new PostgresAccount("4711", 4711, 4712);
        earlier.own(Files.createDirectory(first.data()));

        assertThat(Place.of(home).account()).isEqualTo(earlier);
    }

    @Test
    void in_a_home_of_somebody_else_the_database_is_theirs_whatever_the_home_says() throws Exception {
        Path home = Files.createDirectory(closed.resolve("home"));
        PostgresAccount owner = PostgresAccount.byName("daemon").orElseThrow();
        owner.own(home);
        Files.writeString(home.resolve("database.location"), "/etc");

        assertThat(Place.of(home)).isEqualTo(new Place(home, owner));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
