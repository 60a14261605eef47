package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Makes files and the names of files last, whatever happens to the machine. */
final class Durable {
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");

    private Durable() {}

    /** The bytes of a file. */
    static void write(Path file) throws IOException {
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            bytes.force(true);
        }
    }

    /** The names in a folder. */
    static void sync(Path folder) throws IOException {
        if (WINDOWS) {
            return; // folders cannot be opened there, and need not be
        }
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
