package dev.toolgate.server.operate.siem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Appends the audit log to a file of JSON lines for a log collector. A full file is rotated to {@code name.1}, the one
 * before it to {@code name.2} and so on; the cursor is kept in a file beside it.
 */
public final class FollowedFile implements AuditSink {
    private final Path file;
    private final long fullAt;
    private final int kept;
    private final CursorFile cursor;
    private FileChannel channel;

    /**
     * Opens or creates the file.
     *
     * @param fullAt the size in bytes at which the file is rotated
     * @param kept the number of rotated files to keep
     */
    public FollowedFile(Path file, long fullAt, int kept) throws IOException {
        this.file = file.toAbsolutePath();
        this.fullAt = fullAt;
        this.kept = kept;
        this.cursor = new CursorFile(this.file.resolveSibling(this.file.getFileName() + ".cursor"));
        Path folder = this.file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        this.channel = open();
        endTornLine();
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                ownerAndGroup());
    }

    // A collector that runs as another user reads it through its group.
    private static FileAttribute<?>[] ownerAndGroup() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))
                }
                : new FileAttribute<?>[0];
    }

    // After a crash the last line may be incomplete; its record is delivered again on a new line.
    private void endTornLine() throws IOException {
        long size = channel.size();
        channel.position(size);
        ByteBuffer last = ByteBuffer.allocate(1);
        if (size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n') {
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }

    @Override
    public Optional<String> cursor() throws IOException {
        return cursor.read();
    }

    @Override
    public void take(List<AuditSource.Item> records) throws IOException {
        StringBuilder lines = new StringBuilder();
        records.forEach(record -> lines.append(record.json()).append('\n'));
        ByteBuffer bytes = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8));
        if (channel.size() > 0 && channel.size() + bytes.remaining() > fullAt) {
            beginNewFile();
        }
        append(bytes);
        cursor.write(records.getLast().cursor());
    }

    private void append(ByteBuffer bytes) throws IOException {
        long before = channel.size();
        channel.position(before);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException diskFull) {
            channel.truncate(before); // they are delivered again
            throw diskFull;
        }
    }

    private void beginNewFile() throws IOException {
        channel.close();
        try {
            for (int number = kept; number >= 1; number--) {
                Path older = number == 1 ? file : numbered(number - 1);
                if (Files.exists(older)) {
                    Files.move(older, numbered(number), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.deleteIfExists(file); // if no rotated file is kept
        } finally {
            channel = open(); // if a file could not be moved, the next delivery tries again
        }
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
