package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** Whoever has it is alone with a folder: among the threads of this program, and among programs. */
final class FolderLock implements AutoCloseable {
    // The system knows programs only, so threads are told apart here; a few locks serve all folders.
    private static final ReentrantLock[] WITHIN =
            Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

    private final ReentrantLock within;
    private final FileChannel file;

    private FolderLock(ReentrantLock within, FileChannel file) {
        this.within = within;
        this.file = file;
    }

    static FolderLock of(Path folder) throws IOException {
        ReentrantLock within = WITHIN[Math.floorMod(folder.hashCode(), WITHIN.length)];
        within.lock();
        try {
            FileChannel file = FileChannel.open(
                    folder.resolve("lock"),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PrivateFolder.ofFilesIn(folder));
            try {
                file.lock();
                return new FolderLock(within, file);
            } catch (IOException | RuntimeException unlockable) {
                file.close();
                throw unlockable;
            }
        } catch (IOException | RuntimeException unlockable) {
            within.unlock();
            throw unlockable;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            within.unlock();
        }
    }
}
