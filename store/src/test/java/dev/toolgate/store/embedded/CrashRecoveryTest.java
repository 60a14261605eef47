package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.Database;
import dev.toolgate.store.SharedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whichever process is killed, the next start finds the data and no process is left running. */
class CrashRecoveryTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static TestHome home;

    @BeforeAll
    static void makeHome() throws Exception {
        home = new TestHome();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path)) {
            Sql.run(postgres.url(), "CREATE SCHEMA mine CREATE TABLE kept (line text)");
            Sql.run(postgres.url(), "GRANT USAGE ON SCHEMA mine TO PUBLIC");
            Sql.run(postgres.url(), "GRANT SELECT, INSERT ON mine.kept TO PUBLIC");
        }
    }

    @AfterAll
    static void removeHome() throws Exception {
        home.close();
    }

    @Test
    void the_server_ends_with_its_killed_parent_and_keeps_the_data() throws Exception {
        try (OtherProcess other = new OtherProcess(home.path)) {
            ProcessHandle server = other.server();
            other.process.destroyForcibly();

            await().atMost(LIMIT).until(() -> !server.isAlive());
            await().atMost(LIMIT).until(() -> serversOf(home.data()).isEmpty());
            assertKept(other);
        }
    }

    @Test
    void a_start_right_after_the_kill_succeeds() throws Exception {
        try (OtherProcess other = new OtherProcess(home.path)) {
            ProcessHandle server = other.server();
            other.process.destroyForcibly().waitFor();

            assertKept(other);
            await().atMost(LIMIT).until(() -> !server.isAlive());
        }
    }

    @Test
    void a_start_after_both_processes_were_killed_succeeds() throws Exception {
        try (OtherProcess other = new OtherProcess(home.path)) {
            other.server().destroyForcibly();
            other.process.destroyForcibly().waitFor();

            assertKept(other);
        }
    }

    @Test
    void a_killed_server_comes_back_at_the_same_address() throws Exception {
        try (Database database = Database.open(home.path, null)) {
            ProcessHandle server = serversOf(home.data()).getFirst();
            database.jdbi().useHandle(handle -> handle.execute("INSERT INTO mine.kept VALUES ('before the kill')"));

            server.destroyForcibly();

            await().atMost(LIMIT).until(() -> !server.isAlive());
            await().atMost(LIMIT).until(database::isReachable);
            assertThat(database.embeddedState()).contains(EmbeddedPostgres.State.RUNNING);
            int kept = database.jdbi().withHandle(handle -> handle.createQuery(
                            "SELECT count(*) FROM mine.kept WHERE line = 'before the kill'")
                    .mapTo(Integer.class)
                    .one());
            assertThat(kept).isEqualTo(1);
        }
        assertThat(serversOf(home.data())).isEmpty();
    }

    @Test
    void a_server_killed_before_the_stop_does_not_come_back() throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path);
        ProcessHandle.of(postgres.pid()).orElseThrow().destroyForcibly();
        postgres.close();

        await().atMost(LIMIT).until(() -> serversOf(home.data()).isEmpty());
        assertThat(postgres.state()).isEqualTo(EmbeddedPostgres.State.STOPPED);
    }

    @Test
    void an_orphaned_server_is_stopped_first() throws Exception {
        Process orphan = new OrphanProcess(home.path).start();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path)) {
            assertThat(orphan.isAlive()).isFalse();
            assertThat(Sql.ask(postgres.url(), "SELECT count(*) >= 0 FROM mine.kept"))
                    .isEqualTo("t");
        } finally {
            orphan.destroyForcibly();
        }
    }

    @Test
    void a_stale_pid_file_blocks_no_start_and_kills_no_process() throws Exception {
        Process bystander = new OrphanProcess(home.path).bystander();
        long otherServer = SharedPostgres.server().pid();
        try {
            for (String pid : List.of("" + bystander.pid(), "" + otherServer, "99999999", "")) {
                Path file = home.data().resolve("postmaster.pid");
                Files.writeString(file, pid.isEmpty() ? "" : pid + "\n" + home.data() + "\n");
                if (PostgresAccount.current().isRoot()) {
                    PostgresAccount.owning(home.data()).own(file);
                }

                try (EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path)) {
                    assertThat(Sql.ask(postgres.url(), "SELECT 1")).isEqualTo("1");
                }
            }
            assertThat(bystander.isAlive()).isTrue();
            assertThat(SharedPostgres.server().pid()).isEqualTo(otherServer);
            assertThat(Sql.ask(SharedPostgres.server().url(), "SELECT 1")).isEqualTo("1");
        } finally {
            bystander.destroyForcibly();
        }
    }

    private static void assertKept(OtherProcess writer) throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(home.path)) {
            String line = "written by " + writer.process.pid();
            assertThat(Sql.ask(postgres.url(), "SELECT count(*) FROM mine.kept WHERE line = '" + line + "'"))
                    .isEqualTo("1");
            assertThat(serversOf(home.data())).hasSize(1);
        }
    }

    /** The servers, without their workers, that have this folder on their command line. */
    private static List<ProcessHandle> serversOf(Path data) throws Exception {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            List<ProcessHandle> named = processes
                    .filter(process -> commandLine(process).contains("-D\0" + data + "\0"))
                    .toList();
            // A worker that has just been forked still has the command line of its server.
            return named.stream()
                    .filter(process -> process.parent().filter(named::contains).isEmpty())
                    .toList();
        }
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException e) {
            return "";
        }
    }
}
