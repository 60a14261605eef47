package dev.toolgate.store.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops a server: politely, then at once, then by force; each within a limit. */
final class Shutdown {
    private static final int FAST_SECONDS = 15;
    private static final int IMMEDIATE_SECONDS = 6;

    private Shutdown() {}

    static void stop(PostgresLauncher launcher, ProcessHandle server) throws IOException {
        if (!ask(launcher, server, "fast", FAST_SECONDS) && !ask(launcher, server, "immediate", IMMEDIATE_SECONDS)) {
            server.destroyForcibly();
            if (!ended(server, Duration.ofSeconds(5))) {
                throw new IOException("The database server (process " + server.pid() + ") cannot be stopped; look at"
                        + " what keeps it, for example a disk that does not answer.");
            }
        }
    }

    private static boolean ask(PostgresLauncher launcher, ProcessHandle server, String mode, int seconds)
            throws IOException {
        PostgresPrograms.Ending ending = launcher.run(
                Duration.ofSeconds(seconds + 5L),
                "",
                "pg_ctl",
                "stop",
                "--pgdata=" + launcher.place().data(),
                "--mode=" + mode,
                "--wait",
                "--timeout=" + seconds);
        // Its pid file goes a moment before the process does; one that is not our child may stay on as a zombie.
        return ended(server, Duration.ofSeconds(1)) || ending.code() == 0;
    }

    private static boolean ended(ProcessHandle server, Duration limit) throws IOException {
        try {
            server.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException("The database server cannot be watched.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being stopped.", e);
        }
    }
}
