package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a server, or deletes the pid file of one, that an earlier process left behind. */
final class StaleServer {
    private static final Logger LOG = LoggerFactory.getLogger(StaleServer.class);
    private static final Path PROCESSES = Path.of("/proc");

    private StaleServer() {}

    /** The caller must hold the lock of the home, which shows that the process of that server has ended. */
    static void clear(PostgresLauncher launcher) throws IOException {
        Path data = launcher.location().data();
        Optional<PidFile> file = PidFile.read(data);
        if (file.isEmpty()) {
            return;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(file.get().pid()).filter(ProcessHandle::isAlive);
        if (process.isPresent() && isOurs(process.get(), launcher.location())) {
            LOG.info(
                    "Stopping database server {}, which was left running by an earlier Toolgate",
                    process.get().pid());
            Shutdown.stop(launcher, process.get());
        } else if (process.isPresent() || file.get().pid() == 0) {
            // PostgreSQL removes the pid file of a dead server itself, but not if its pid now belongs to another
            // process.
            Files.deleteIfExists(PidFile.in(data));
        }
    }

    /** Process ids are reused, so the pid alone is not enough. */
    private static boolean isOurs(ProcessHandle process, DatabaseLocation location) {
        try {
            String programs = location.programs().toRealPath().toString();
            boolean runsOurs = process.info().command().orElse("").startsWith(programs);
            // The working folder of a server is its data folder.
            Path folder = Path.of("/proc/" + process.pid() + "/cwd");
            return runsOurs && (!Files.isDirectory(PROCESSES) || Files.isSameFile(folder, location.data()));
        } catch (IOException e) {
            // It has ended, or belongs to another account than the database.
            return false;
        }
    }
}
