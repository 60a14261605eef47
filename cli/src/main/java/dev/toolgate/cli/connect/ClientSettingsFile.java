package dev.toolgate.cli.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A client's settings file. It is replaced atomically, and readable by its owner only, because it contains a key. */
public final class ClientSettingsFile {
    private static final int MAX_BYTES = 64 << 20;

    private final Path file;

    /** A file, which need not exist yet; a symbolic link is followed, not replaced. */
    public ClientSettingsFile(Path file) throws IOException {
        this.file = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    }

    /** Changes the settings. */
    public interface Change {
        /**
         * @param text empty if there are no settings yet
         * @throws IOException if they cannot be changed; the message says what is wrong with them
         */
        String of(String text) throws IOException;
    }

    /** Changes the settings, or creates them. */
    public void change(Change change) throws IOException {
        String before = read();
        String after;
        try {
            after = change.of(before);
        } catch (IOException unfit) {
            throw new IOException(
                    "the file " + file + " was not changed: " + unfit.getMessage()
                            + "; correct it, or paste the entry by hand",
                    unfit);
        }
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException("the file " + file + " has no parent folder");
        }
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, ".toolgate", ".tmp"); // readable by its owner only
        try {
            try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(after);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            if (!read().equals(before)) {
                throw new IOException("the file " + file + " was changed by another program; run the command again");
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** The current settings; empty if there are none. */
    public String read() throws IOException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("the file " + file + " is larger than 64 MiB");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (NoSuchFileException none) {
            return "";
        } catch (CharacterCodingException noText) {
            throw new IOException("the file " + file + " is not UTF-8; nothing was changed", noText);
        }
    }
}
