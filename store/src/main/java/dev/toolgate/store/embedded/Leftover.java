package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deals with a server, or with the pid file of one, that an ended process left on our data. */
final class Leftover {
    private static final Logger LOG = LoggerFactory.getLogger(Leftover.class);
    private static final Path PROCESSES = Path.of("/proc");

    private Leftover() {}

    /** To be called by whoever holds the lock of the home, so that no server of a living process is meant. */
    static void clear(PostgresLauncher launcher) throws IOException {
        Path data = launcher.place().data();
        Optional<PidFile> file = PidFile.read(data);
        if (file.isEmpty()) {
            return;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(file.get().pid()).filter(ProcessHandle::isAlive);
        if (process.isPresent() && isOurs(process.get(), launcher.place())) {
            LOG.info(
                    "Stopping the database server {} that an earlier Toolgate left",
                    process.get().pid());
            Shutdown.stop(launcher, process.get());
        } else if (process.isPresent() || file.get().pid() == 0) {
            // PostgreSQL removes the file of a dead server by itself, but takes this process for a living one.
            Files.deleteIfExists(PidFile.in(data));
        }
    }

    /** A process number is used again by others, so it takes more than the number. */
    private static boolean isOurs(ProcessHandle process, Place place) {
        try {
            String programs = place.programs().toRealPath().toString();
            boolean runsOurs = process.info().command().orElse("").startsWith(programs);
            // A server works in its data folder.
            Path folder = Path.of("/proc/" + process.pid() + "/cwd");
            return runsOurs && (!Files.isDirectory(PROCESSES) || Files.isSameFile(folder, place.data()));
        } catch (IOException e) {
            // Ended meanwhile, or not a process of the database's account.
            return false;
        }
    }
}
