package dev.toolgate.server.operate.instance;

import dev.toolgate.core.file.NewFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Identifies a folder by a file in it, so that servers that mount the same folder, perhaps at different paths, find the
 * same identity, and different folders at the same path do not.
 */
record FolderIdentity(Path folder, UUID id) {
    /** The file in the folder. */
    static final String FILE = ".toolgate-place";

    private static final int MAX_BYTES = 100;

    /** Other servers may run as other users. */
    private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rw-r--r--");

    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** The identity of a folder; created if missing. */
    static FolderIdentity of(Path folder) throws IOException {
        Optional<UUID> known = read(folder);
        if (known.isPresent()) {
            return new FolderIdentity(folder, known.get());
        }
        write(folder, UUID.randomUUID());
        UUID written = read(folder)
                .orElseThrow(() -> new IOException("The file " + folder.resolve(FILE)
                        + " cannot be read back; check that the folder is writable"));
        return new FolderIdentity(folder, written); // possibly written by another server at the same time
    }

    /** Restores the identity file if it was deleted or changed, which tools can do in a workspace. */
    void restore() throws IOException {
        if (!read(folder).equals(Optional.of(id))) {
            Path draft = draft(folder, id);
            try {
                Files.move(
                        draft,
                        folder.resolve(FILE),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        }
    }

    String text() {
        return "folder:" + id;
    }

    // Another server may be reading or creating it.
    private static void write(Path folder, UUID id) throws IOException {
        boolean created = NewFile.create(folder.resolve(FILE), content(id), PERMISSIONS);
        if (!created && read(folder).isEmpty()) {
            new FolderIdentity(folder, id).restore(); // the existing file is invalid
        }
    }

    private static byte[] content(UUID id) {
        return (id + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static Path draft(Path folder, UUID id) throws IOException {
        Path draft = Files.createTempFile(folder, FILE, ".new");
        Files.write(draft, content(id));
        PosixFileAttributeView modes = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (modes != null) {
            modes.setPermissions(PERMISSIONS);
        }
        return draft;
    }

    // Tools can put anything there: a link, a pipe that blocks the reader, or a huge file.
    private static Optional<UUID> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        try {
            BasicFileAttributes about =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!about.isRegularFile() || about.size() > MAX_BYTES) {
                return Optional.empty();
            }
            try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                String text = new String(content.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
                return UUID_TEXT.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
            }
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }
}
