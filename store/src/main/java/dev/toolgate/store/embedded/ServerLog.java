package dev.toolgate.store.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the output of the server to a file with one rotation, and keeps the last lines for error messages. */
final class ServerLog {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLog.class);
    private static final long MAX_BYTES = 4 << 20;
    private static final int MAX_LINE = 4_096;
    private static final int LAST_LINES = 10;

    private final Path file;
    private final Deque<String> last = new ArrayDeque<>();

    ServerLog(Path home) {
        file = home.resolve("database.log");
    }

    /** Reads until the server and all its processes have ended. An unread pipe would block the server. */
    Thread follow(InputStream output) {
        return Thread.ofPlatform().name("toolgate-database-log").daemon().start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    keep(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line);
                }
            } catch (IOException e) {
                LOG.debug("The database's log ended", e);
            }
        });
    }

    synchronized String lastLines() {
        return String.join("; ", last);
    }

    synchronized void forget() {
        last.clear();
    }

    private synchronized void keep(String line) {
        last.addLast(line);
        if (last.size() > LAST_LINES) {
            last.removeFirst();
        }
        try {
            if (Files.exists(file) && Files.size(file) > MAX_BYTES) {
                Files.move(file, file.resolveSibling("database.log.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            if (!Files.exists(file)) {
                Permissions.write(file, "", "rw-------");
            }
            try (Writer writer = Files.newBufferedWriter(file, StandardOpenOption.APPEND)) {
                writer.write(line + "\n");
            }
        } catch (IOException e) {
            // A full disk must not stop the server.
            LOG.warn("The database log {} cannot be written: {}", file, e.getMessage());
        }
    }
}
