package dev.toolgate.store.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops a server: fast, then immediately, then by killing it; each with a timeout. */
final class Shutdown {
    private static final int FAST_SECONDS = 15;
    private static final int IMMEDIATE_SECONDS = 6;

    private Shutdown() {}

    static void stop(PostgresLauncher launcher, ProcessHandle server) throws IOException {
        if (!ask(launcher, server, "fast", FAST_SECONDS) && !ask(launcher, server, "immediate", IMMEDIATE_SECONDS)) {
            server.destroyForcibly();
            if (!ended(server, Duration.ofSeconds(5))) {
                throw new IOException("The database server (process " + server.pid() + ") cannot be stopped; check"
                        + " what blocks it, for example a disk that does not respond.");
            }
        }
    }

    private static boolean ask(PostgresLauncher launcher, ProcessHandle server, String mode, int seconds)
            throws IOException {
        PostgresPrograms.Result result = launcher.run(
                Duration.ofSeconds(seconds + 5L),
                "",
                "pg_ctl",
                "stop",
                "--pgdata=" + launcher.location().data(),
                "--mode=" + mode,
                "--wait",
                "--timeout=" + seconds);
        // The pid file is removed shortly before the process exits; one that is not our child may remain as a zombie.
        return ended(server, Duration.ofSeconds(1)) || result.code() == 0;
    }

    private static boolean ended(ProcessHandle server, Duration limit) throws IOException {
        try {
            server.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("Waiting for the database server to exit failed.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being stopped.", e);
        }
    }
}
