package dev.toolgate.tools.database;

import dev.toolgate.core.call.Content;
import dev.toolgate.runtime.output.ArtifactRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes rows as CSV (RFC 4180): in memory while small, in a file once large enough for an artifact. */
final class CsvFile implements AutoCloseable {
    private final Path folder;
    private final ByteArrayOutputStream small = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable OutputStream out;
    private long size;

    CsvFile(Path folder) {
        this.folder = folder;
    }

    static byte[] line(List<String> cells) {
        return cells.stream()
                .map(CsvFile::quoted)
                .collect(Collectors.joining(",", "", "\r\n"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    void write(byte[] line) throws IOException {
        size += line.length;
        if (size <= ArtifactRule.THRESHOLD_BYTES) {
            small.write(line);
            return;
        }
        OutputStream open = out;
        if (open == null) {
            Files.createDirectories(folder);
            file = Files.createTempFile(folder, "query-", ".csv"); // readable only by this account
            open = Files.newOutputStream(file);
            out = open;
            small.writeTo(open);
            small.reset();
        }
        open.write(line);
    }

    long size() {
        return size;
    }

    /** The file, if there is one; the caller then owns it. */
    Optional<Content> take() throws IOException {
        Path taken = file;
        OutputStream open = out;
        if (taken == null || open == null) {
            return Optional.empty();
        }
        open.close();
        file = null;
        return Optional.of(Content.in(taken, size));
    }

    @Override
    public void close() throws IOException {
        OutputStream open = out;
        if (open != null) {
            open.close();
        }
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
