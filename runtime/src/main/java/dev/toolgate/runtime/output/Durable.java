package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Makes the names in a folder last, as forcing a file makes its bytes last. */
final class Durable {
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");

    private Durable() {}

    static void sync(Path folder) throws IOException {
        if (WINDOWS) {
            return; // folders cannot be opened there, and need not be
        }
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
