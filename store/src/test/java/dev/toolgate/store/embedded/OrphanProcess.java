package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Starts processes of the database account that do not end with their parent. */
record OrphanProcess(Path home) {

    /** A server on the data of the home that has outlived its Toolgate. */
    Process start() throws IOException {
        DatabaseLocation location = DatabaseLocation.of(home);
        Process server = start(List.of(
                Binaries.in(location.programs()).program("postgres"),
                "-D",
                location.data().toString(),
                "-p",
                Integer.toString(Postmaster.freePort()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories="));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> PidFile.read(location.data())
                .filter(file -> file.pid() == server.pid() && file.isReady())
                .isPresent());
        return server;
    }

    /** A process that has nothing to do with the database. */
    Process bystander() throws IOException {
        return start(List.of("sleep", "600"));
    }

    private Process start(List<String> program) throws IOException {
        PostgresAccount account = DatabaseLocation.of(home).account();
        List<String> command = new ArrayList<>();
        if (PostgresAccount.current().isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=" + account.uid(), "--regid=" + account.gid(), "--clear-groups"));
        }
        command.addAll(program);
        return PostgresPrograms.prepare(home, command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
