package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Unusable data is not touched, and the error says why. */
class RefusedDataTest {

    @Test
    void data_of_another_version_is_refused() throws Exception {
        try (TestHome home = new TestHome()) {
            giveToServer(home);
            Files.writeString(home.data().resolve("PG_VERSION"), "17\n");

            assertThatThrownBy(() -> EmbeddedPostgres.start(home.path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(home.data() + " was written by PostgreSQL 17 and this is PostgreSQL 18");
        }
    }

    @Test
    void data_without_its_password_is_refused() throws Exception {
        try (TestHome home = new TestHome()) {
            giveToServer(home);
            Files.writeString(home.data().resolve("PG_VERSION"), "18\n");

            assertThatThrownBy(() -> EmbeddedPostgres.start(home.path))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(home.path.resolve("database.password") + " is missing");
        }
    }

    @Test
    void a_refused_start_releases_the_lock_of_the_home() throws Exception {
        try (TestHome home = new TestHome()) {
            giveToServer(home);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> EmbeddedPostgres.start(home.path))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("an unknown version");
            }
        }
    }

    private static void giveToServer(TestHome home) throws IOException {
        Files.createDirectory(home.data());
        if (PostgresAccount.current().isRoot()) {
            PostgresAccount.insteadOfRoot().own(home.data());
        }
    }
}
