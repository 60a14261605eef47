package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A file lock that lets one process at a time use a data folder; the operating system releases it with the process. */
final class HomeLock implements AutoCloseable {
    /** Far beyond the end of the text, because Windows does not let others read locked bytes. */
    private static final long LOCKED_BYTE = 1L << 40;

    /**
     * Homes locked by this process. The operating system releases a lock when the process closes <em>any</em> of
     * its descriptors of the file, so the file must not be opened a second time.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path home;
    private final FileChannel channel;

    private HomeLock(Path home, FileChannel channel) {
        this.home = home;
        this.channel = channel;
    }

    /** Takes the lock; throws with a message that names the process that has it. */
    static HomeLock take(Path home) throws IOException {
        if (!HELD.add(home)) {
            throw refused(home, Long.toString(ProcessHandle.current().pid()));
        }
        try {
            return take(home, home.resolve("database.lock"));
        } catch (IOException | RuntimeException failed) {
            HELD.remove(home);
            throw failed;
        }
    }

    private static HomeLock take(Path home, Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
                throw refused(home, Files.readString(file).strip());
            }
            String pid = Long.toString(ProcessHandle.current().pid());
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
            return new HomeLock(home, channel);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private static IOException refused(Path home, String pid) {
        return new IOException("Another Toolgate (process " + pid + ") is using the data folder " + home
                + "; stop it, or set TOOLGATE_HOME to another folder.");
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD.remove(home);
    }
}
