package dev.toolgate.server.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads the resource files of this package. */
final class DocumentFiles {
    private DocumentFiles() {}

    static byte[] bytes(String name) {
        try (InputStream in = DocumentFiles.class.getResourceAsStream("/openapi/" + name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "The file openapi/" + name + " is missing from the build; rebuild the server.");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static String text(String name) {
        // Line ends may differ in a checkout; the digest must match what the browser sees.
        return new String(bytes(name), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
