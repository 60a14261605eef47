package dev.toolgate.runtime.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Flushes files and folders to disk, so that they survive a crash of the machine. */
final class Durable {
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");

    private Durable() {}

    /** Flushes the content of a file. */
    static void syncFile(Path file) throws IOException {
        try (FileChannel bytes = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            bytes.force(true);
        }
    }

    /** Flushes the entries of a folder. */
    static void syncFolder(Path folder) throws IOException {
        if (WINDOWS) {
            return; // folders cannot be opened on Windows, and need no flush
        }
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
