package dev.toolgate.store.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A running server process. */
record Postmaster(Process process, int port) {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration RETRY_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(10);

    /** Starts the server on a free loopback port. */
    static Postmaster start(PostgresLauncher launcher, ServerLog log) throws IOException {
        long deadline = System.nanoTime() + RETRY_TIMEOUT.toNanos();
        while (true) {
            try {
                return start(launcher, log, freePort());
            } catch (IOException failed) {
                // Another process took the port, or processes of a killed server are still ending.
                boolean passes = log.lastLines().contains("could not bind")
                        || log.lastLines().contains("is still in use");
                if (!passes || System.nanoTime() > deadline) {
                    throw failed;
                }
                pause(PAUSE.multipliedBy(20));
            }
        }
    }

    /** Starts the server on this port and waits until it accepts connections. */
    static Postmaster start(PostgresLauncher launcher, ServerLog log, int port) throws IOException {
        DatabaseLocation location = launcher.location();
        Path settings = PostgresConfig.server(location);
        Path access = PostgresConfig.access(location);
        log.forget();
        Process process = launcher.server(List.of(
                "-D",
                location.data().toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "config_file=" + settings,
                "-c",
                "hba_file=" + access));
        try {
            Thread reader = log.follow(process.getInputStream());
            awaitReady(process, location.data(), log, reader);
            return new Postmaster(process, port);
        } catch (IOException | RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static void awaitReady(Process process, Path data, ServerLog log, Thread reader) throws IOException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (true) {
            if (PidFile.read(data)
                    .filter(file -> file.pid() == process.pid() && file.isReady())
                    .isPresent()) {
                return;
            }
            if (!process.isAlive()) {
                join(reader);
                throw new IOException("PostgreSQL exited during its start: " + log.lastLines());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "PostgreSQL was not ready after " + READY_TIMEOUT.toSeconds() + " s: " + log.lastLines());
            }
            pause(PAUSE);
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void join(Thread reader) throws IOException {
        try {
            reader.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being started.", e);
        }
    }

    private static void pause(Duration time) throws IOException {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being started.", e);
        }
    }
}
