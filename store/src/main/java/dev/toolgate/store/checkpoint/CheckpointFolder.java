package dev.toolgate.store.checkpoint;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A folder with a file per chain, to which its checkpoints are appended, separated by empty lines, and a file with the
 * public keys of all signers.
 */
public final class CheckpointFolder implements CheckpointStore {
    private static final String SUFFIX = ".checkpoints";
    private static final String SIGNATURE = "\u2014 ";
    /** Origin, size, root, and the empty line before the signatures. */
    private static final int NOTE_LINES = 4;

    private final Path folder;

    /** The folder is created when it is first used. */
    public CheckpointFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return "folder " + folder;
    }

    /** Adds a key to the folder; former keys are kept, because older checkpoints need them. */
    public void addKey(VerifierKey key) throws IOException {
        Files.createDirectories(folder);
        if (!keys().contains(key)) {
            append(folder.resolve("keys"), key + "\n");
        }
    }

    @Override
    public void save(Checkpoint checkpoint) throws IOException {
        Files.createDirectories(folder);
        append(file(checkpoint.head().chain()), checkpoint.note());
    }

    private Path file(UUID chain) {
        return folder.resolve(chain + SUFFIX);
    }

    private static void append(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND))) {
            // Starts on a new line, because a crash may have left an incomplete one.
            String separated = channel.size() == 0 ? text : "\n" + text;
            ByteBuffer bytes = ByteBuffer.wrap(separated.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** The keys of all signers. */
    public List<VerifierKey> keys() throws IOException {
        try {
            List<VerifierKey> keys = new ArrayList<>();
            for (String line : Files.readAllLines(folder.resolve("keys"))) {
                if (!line.isBlank()) {
                    keys.add(VerifierKey.parse(line));
                }
            }
            return keys;
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IllegalArgumentException damaged) {
            throw new IOException(
                    "The file " + folder.resolve("keys") + " has an invalid line: " + damaged.getMessage(), damaged);
        }
    }

    /** Reads all checkpoints, chain by chain, in the order in which they were added. */
    public void read(Consumer<Checkpoint> reader) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                readFile(file, reader);
            }
        }
    }

    /** Reads the checkpoints of one chain. */
    public void read(UUID chain, Consumer<Checkpoint> reader) throws IOException {
        if (Files.exists(file(chain))) {
            readFile(file(chain), reader);
        }
    }

    /** Reads the checkpoints of one file; skips incomplete ones left by a crash. */
    public static void readFile(Path file, Consumer<Checkpoint> reader) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            List<String> text = new ArrayList<>();
            StringBuilder signatures = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(SIGNATURE)) {
                    signatures.append(line).append('\n');
                    continue;
                }
                if (!signatures.isEmpty()) {
                    note(text, signatures).ifPresent(reader);
                    text.clear();
                    signatures.setLength(0);
                }
                text.add(line);
            }
            if (!signatures.isEmpty()) {
                note(text, signatures).ifPresent(reader);
            }
        }
    }

    // Only the last lines before the signatures belong to the note; earlier ones were left by a crash.
    private static Optional<Checkpoint> note(List<String> text, CharSequence signatures) {
        List<String> own = text.subList(Math.max(0, text.size() - NOTE_LINES), text.size());
        return Checkpoint.read(String.join("\n", own) + "\n" + signatures);
    }
}
