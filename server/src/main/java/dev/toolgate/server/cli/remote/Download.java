package dev.toolgate.server.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Something long that a server sends. */
record Download(InputStream body, ServerOptions server) {

    static Download of(InputStream body, ServerOptions server) {
        return new Download(body, server);
    }

    /** Prints it, or writes it to a file that is there only when it is complete. */
    void to(@Nullable Path file) throws IOException {
        try (body) {
            if (file == null) {
                print(new InputStreamReader(body, StandardCharsets.UTF_8), server.out());
            } else {
                write(file.toAbsolutePath());
            }
        }
    }

    private void write(Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.copy(body, unfinished, StandardCopyOption.REPLACE_EXISTING);
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new IOException("the export to " + file + " was not completed: " + failed.getMessage(), failed);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void print(Reader text, PrintWriter out) throws IOException {
        char[] part = new char[8192];
        for (int length = text.read(part); length >= 0; length = text.read(part)) {
            out.write(part, 0, length);
            if (out.checkError()) {
                return; // nobody reads on, as with | head
            }
        }
        out.flush();
    }
}
