package dev.toolgate.store.audit.retention;

import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.query.ChainReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Writes a month as a compressed export that can be verified separately. A file gets its final name only when
 * it is complete and flushed; an existing file is never overwritten.
 */
final class AuditArchive {
    private final Jdbi jdbi;
    private final Clock clock;
    private final Path folder;

    AuditArchive(Jdbi jdbi, Clock clock, Path folder) {
        this.jdbi = jdbi;
        this.clock = clock;
        this.folder = folder;
    }

    /**
     * An archived month.
     *
     * @param rows the number of records of the month
     */
    record Archived(Path file, long rows) {}

    Archived write(Month month) throws IOException {
        String partition = month.partition();
        Files.createDirectories(folder);
        Path part = Files.createTempFile(folder, "audit-" + month + "-", ".part");
        try {
            long rows = jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, handle -> {
                export(handle, partition, part);
                return handle.createQuery("SELECT count(*) FROM " + partition)
                        .mapTo(Long.class)
                        .one();
            });
            Path file = free(month);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            flushFolder();
            return new Archived(file, rows);
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void export(Handle handle, String partition, Path part) {
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
            ChainReader.month(handle, partition, chains -> new AuditExport(new AuditQueries(jdbi), clock)
                    .write(chains, out, AuditExport.Form.GZIP));
            out.flush();
            channel.force(true);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    // Two databases may archive to the same folder.
    private Path free(Month month) {
        Path file = folder.resolve("audit-" + month + ".jsonl.gz");
        for (int i = 2; Files.exists(file, LinkOption.NOFOLLOW_LINKS); i++) {
            file = folder.resolve("audit-" + month + "-" + i + ".jsonl.gz");
        }
        return file;
    }

    private void flushFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notOnThisSystem) {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                throw notOnThisSystem;
            }
        }
    }
}
