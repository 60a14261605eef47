package dev.toolgate.integrations.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a document, without its line breaks and layout. */
final class Guide {
    private Guide() {}

    static String text(String path) throws IOException {
        return Files.readString(Path.of(System.getProperty("toolgate.root")).resolve(path))
                .replaceAll("\\s+", " ");
    }
}
