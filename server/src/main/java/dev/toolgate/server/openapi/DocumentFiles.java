package dev.toolgate.server.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files of this package's folder. */
final class DocumentFiles {
    private DocumentFiles() {}

    static byte[] bytes(String name) {
        try (InputStream in = DocumentFiles.class.getResourceAsStream("/openapi/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The file openapi/" + name + " is missing; build the server again.");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static String text(String name) {
        // A checkout may have other line ends, but a browser sees these.
        return new String(bytes(name), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
