package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class EmbeddedPostgresTest {

    @Test
    void data_survives_a_restart_and_a_stopped_server_has_ended() throws Exception {
        try (TestHome home = new TestHome()) {
            EmbeddedPostgres first = EmbeddedPostgres.start(home.path);
            ProcessHandle server = ProcessHandle.of(first.pid()).orElseThrow();
            Sql.run(first.url(), "CREATE TABLE kept AS SELECT 'still here' AS line");
            first.close();
            first.close();

            assertThat(first.state()).isEqualTo(EmbeddedPostgres.State.STOPPED);
            assertThat(server.isAlive()).isFalse();
            try (EmbeddedPostgres second = EmbeddedPostgres.start(home.path)) {
                assertThat(Sql.ask(second.url(), "SELECT line FROM kept")).isEqualTo("still here");
                assertThat(second.password()).isEqualTo(first.password());
            }
        }
    }

    @Test
    void a_second_start_in_this_process_is_refused_and_harms_nothing() throws Exception {
        EmbeddedPostgres server = SharedPostgres.server();

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(SharedPostgres.home()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Another Toolgate (process "
                            + ProcessHandle.current().pid()
                            + ") is using the data folder "
                            + SharedPostgres.home().toRealPath()
                            + "; stop it, or set TOOLGATE_HOME to another folder.");
        }
        try (OtherProcess other = new OtherProcess(SharedPostgres.home())) {
            assertThat(other.firstLine)
                    .startsWith("Another Toolgate (process "
                            + ProcessHandle.current().pid() + ")")
                    .contains(SharedPostgres.home().toString());
        }
        assertThat(Sql.ask(server.url(), "SELECT 1")).isEqualTo("1");
    }

    @Test
    void is_postgresql_18_with_fsync_and_checksums() throws Exception {
        DatabaseUrl url = SharedPostgres.server().url();

        assertThat(Sql.ask(url, "SHOW server_version")).startsWith("18.");
        for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit", "data_checksums")) {
            assertThat(Sql.ask(url, "SHOW " + setting)).as(setting).isEqualTo("on");
        }
        assertThat(Sql.ask(url, "SHOW max_connections")).isEqualTo("100");
        assertThat(Sql.ask(url, "SELECT datcollate || ' ' || datlocale FROM pg_database WHERE datname = 'toolgate'"))
                .isEqualTo("C C.UTF-8");
    }

    @Test
    void the_password_is_random_private_and_required() throws Exception {
        EmbeddedPostgres server = SharedPostgres.server();
        Path file = SharedPostgres.home().resolve("database.password");

        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(file).strip()).isEqualTo(server.password()).matches("[0-9a-f]{48}");
        for (String wrong : List.of("wrong", "", server.password().toUpperCase(Locale.ROOT) + "x")) {
            assertThatThrownBy(() -> Sql.ask(new DatabaseUrl(server.jdbcUrl(), server.user(), wrong), "SELECT 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
        }
    }

    @Test
    void nobody_can_log_in_as_superuser() throws Exception {
        EmbeddedPostgres server = SharedPostgres.server();

        assertThatThrownBy(() -> Sql.ask(new DatabaseUrl(server.jdbcUrl(), "postgres", server.password()), "SELECT 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("pg_hba.conf");
        assertThat(Sql.ask(server.url(), "SHOW is_superuser")).isEqualTo("off");
        assertThatThrownBy(() -> Sql.run(server.url(), "COPY (SELECT 1) TO PROGRAM 'cat'"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("permission denied");
    }

    @Test
    void listens_on_loopback_only_and_on_no_socket_file() throws Exception {
        DatabaseUrl url = SharedPostgres.server().url();
        int port = Integer.parseInt(Sql.ask(url, "SHOW port"));
        String listening = String.format(Locale.ROOT, ":%04X 0", port);

        assertThat(Files.readAllLines(Path.of("/proc/net/tcp")))
                .filteredOn(line -> line.contains(listening) && line.contains(" 0A "))
                .singleElement()
                .asString()
                .contains("0100007F" + listening.substring(0, 5));
        assertThat(Files.readAllLines(Path.of("/proc/net/tcp6")))
                .noneMatch(line -> line.contains(listening) && line.contains(" 0A "));
        assertThat(Files.readString(Path.of("/proc/net/unix"))).doesNotContain(".s.PGSQL." + port);
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address :
                    network.inetAddresses().filter(a -> !a.isLoopbackAddress()).toList()) {
                assertThatThrownBy(() -> new Socket(address, port).close()).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void the_data_belongs_to_the_account_of_the_server_never_to_root() throws Exception {
        Path data = SharedPostgres.server().folder().resolve("data");

        assertThat(Files.getAttribute(data, "unix:uid"))
                .isNotEqualTo(0)
                .isEqualTo(Files.getAttribute(
                        Path.of("/proc/" + SharedPostgres.server().pid()), "unix:uid"));
        assertThat(Files.getPosixFilePermissions(data, LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void the_environment_of_this_process_is_not_inherited() throws Exception {
        String environment =
                Files.readString(Path.of("/proc/" + SharedPostgres.server().pid() + "/environ"));

        assertThat(System.getenv()).containsKey("HOME");
        assertThat(environment).contains("LC_ALL=C").doesNotContain("HOME=");
    }

    /**
     * Ctrl-C signals all processes of a terminal session, but the database is needed until this process has stopped.
     */
    @Test
    void the_server_runs_in_its_own_terminal_session() throws Exception {
        long server = SharedPostgres.server().pid();
        String afterName =
                Files.readString(Path.of("/proc/" + server + "/stat")).replaceFirst("^.*\\) ", "");

        String[] stateParentGroupSession = afterName.split(" ", 5);
        assertThat(stateParentGroupSession[2]).isEqualTo(Long.toString(server));
        assertThat(stateParentGroupSession[3]).isEqualTo(Long.toString(server));
    }
}
