package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.cli.terminal.TerminalDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A large download from a server. */
public record ExportDownload(InputStream body, ServerOptions server) {

    public static ExportDownload of(InputStream body, ServerOptions server) {
        return new ExportDownload(body, server);
    }

    /** Prints it, or writes it to a file that is created only when it is complete. */
    public void to(@Nullable Path file) throws IOException {
        try (body) {
            if (file == null) {
                print(
                        new InputStreamReader(body, StandardCharsets.UTF_8),
                        server.out(),
                        TerminalDevice.isOutput() ? PrintableText::lines : UnaryOperator.identity());
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

    private static void print(Reader text, PrintWriter out, UnaryOperator<String> form) throws IOException {
        char[] part = new char[8192];
        int held = 0;
        for (int read = text.read(part); read >= 0; read = text.read(part, held, part.length - held)) {
            int length = held + read;
            // Surrogate pairs must not be split.
            held = Character.isHighSurrogate(part[length - 1]) ? 1 : 0;
            out.write(form.apply(new String(part, 0, length - held)));
            StandardOutput.finish(out);
            part[0] = part[length - 1];
        }
    }
}
