package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Processes of the database's account that do not end with the process that started them. */
record Orphan(Path home) {

    /** A server on the data of the home, as one that outlived its Toolgate would be. */
    Process start() throws IOException {
        Place place = Place.of(home);
        Process server = start(List.of(
                Binaries.in(place.programs()).program("postgres"),
                "-D",
                place.data().toString(),
                "-p",
                Integer.toString(Postmaster.freePort()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories="));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> PidFile.read(place.data())
                .filter(file -> file.pid() == server.pid() && file.isReady())
                .isPresent());
        return server;
    }

    /** A process that has nothing to do with the database. */
    Process bystander() throws IOException {
        return start(List.of("sleep", "600"));
    }

    private Process start(List<String> program) throws IOException {
        PostgresAccount account = Place.of(home).account();
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
