package dev.toolgate.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppliedMigrationsTest {
    private static final String FOLDER = "db/migration";

    private static Connection connect(DatabaseUrl url) throws Exception {
        return DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password());
    }

    private static String remembered(Connection connection) throws Exception {
        try (ResultSet row = connection.createStatement().executeQuery("SELECT fingerprint FROM applied_migrations")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void an_empty_database_is_not_current_and_one_that_was_opened_is() throws Exception {
        AppliedMigrations ours = AppliedMigrations.in(FOLDER);
        DatabaseUrl url = SharedPostgres.newDatabase();
        try (Connection connection = connect(url)) {
            assertThat(ours.areCurrent(connection)).isFalse();
            Database.open(url).close();
            assertThat(ours.areCurrent(connection)).isTrue();
        }
    }

    @Test
    void a_database_that_other_migrations_were_applied_to_is_brought_up_to_date() throws Exception {
        DatabaseUrl url = SharedPostgres.newDatabase();
        // As left by an older version, which did not store a fingerprint.
        Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .locations("classpath:" + FOLDER)
                .placeholderReplacement(false)
                .target("108")
                .load()
                .migrate();
        try (Connection connection = connect(url)) {
            Database.open(url).close();
            assertThat(remembered(connection))
                    .isEqualTo(AppliedMigrations.in(FOLDER).fingerprint());

            connection.createStatement().execute("UPDATE applied_migrations SET fingerprint = 'of another version'");
            Database.open(url).close();
            assertThat(remembered(connection))
                    .isEqualTo(AppliedMigrations.in(FOLDER).fingerprint());
        }
    }

    @Test
    void a_changed_migration_has_another_fingerprint_in_a_folder_and_in_a_jar(@TempDir Path folder) throws Exception {
        String first = inFolder(Files.createDirectories(folder.resolve("a")), "SELECT 1");

        assertThat(inJar(folder.resolve("a.jar"), "SELECT 1")).isEqualTo(first);
        assertThat(inFolder(Files.createDirectories(folder.resolve("b")), "SELECT 2"))
                .isNotEqualTo(first);
        assertThat(inJar(folder.resolve("b.jar"), "SELECT 2")).isNotEqualTo(first);
    }

    private static String inFolder(Path root, String sql) throws Exception {
        Files.writeString(Files.createDirectories(root.resolve(FOLDER)).resolve("V1__first.sql"), sql);
        return fingerprint(root);
    }

    private static String inJar(Path jar, String sql) throws Exception {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (String name : new String[] {"db/", "db/migration/"}) {
                out.putNextEntry(new JarEntry(name));
                out.closeEntry();
            }
            out.putNextEntry(new JarEntry(FOLDER + "/V1__first.sql"));
            out.write(sql.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            out.closeEntry();
        }
        return fingerprint(jar);
    }

    private static String fingerprint(Path place) throws Exception {
        try (URLClassLoader program =
                new URLClassLoader(new URL[] {place.toUri().toURL()}, null)) {
            return AppliedMigrations.in(program, FOLDER).fingerprint();
        }
    }
}
