package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** An exclusive lock on a folder, among threads and among processes. */
final class FolderLock implements AutoCloseable {
    // File locks exclude processes only, so threads use these; folders share a fixed number of locks.
    private static final ReentrantLock[] THREAD_LOCKS =
            Stream.generate(ReentrantLock::new).limit(64).toArray(ReentrantLock[]::new);

    private final ReentrantLock threadLock;
    private final FileChannel file;

    private FolderLock(ReentrantLock threadLock, FileChannel file) {
        this.threadLock = threadLock;
        this.file = file;
    }

    static FolderLock of(Path folder) throws IOException {
        ReentrantLock threadLock = THREAD_LOCKS[Math.floorMod(folder.hashCode(), THREAD_LOCKS.length)];
        threadLock.lock();
        try {
            FileChannel file = FileChannel.open(
                    folder.resolve("lock"),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PrivateFolder.ofFilesIn(folder));
            try {
                file.lock();
                return new FolderLock(threadLock, file);
            } catch (IOException | RuntimeException failed) {
                file.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            threadLock.unlock();
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            threadLock.unlock();
        }
    }
}
