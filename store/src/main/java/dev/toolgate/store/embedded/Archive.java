package dev.toolgate.store.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks a {@code .txz} archive. */
final class Archive {
    private static final int EXECUTABLE = 0100;

    private Archive() {}

    /**
     * Unpacks everything, readable and executable for all accounts that can enter the folder, writable only for the
     * owner.
     */
    static void unpack(InputStream packed, Path folder) throws IOException {
        try (TarArchiveInputStream entries =
                new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(packed)))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                Path target = beneath(folder, folder, entry.getName());
                makeFolder(folder, entry.isDirectory() ? target : parent(target));
                if (entry.isSymbolicLink()) {
                    beneath(folder, parent(target), entry.getLinkName());
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                } else if (entry.isFile()) {
                    Files.copy(entries, target);
                    Permissions.set(target, (entry.getMode() & EXECUTABLE) == 0 ? "rw-r--r--" : "rwxr-xr-x");
                }
            }
        }
    }

    private static void makeFolder(Path top, Path folder) throws IOException {
        if (!Files.exists(folder)) {
            makeFolder(top, parent(folder));
            Files.createDirectory(folder);
            Permissions.set(folder, "rwxr-xr-x");
        }
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("The PostgreSQL archive has an entry without a folder.");
        }
        return parent;
    }

    private static Path beneath(Path top, Path from, String name) throws IOException {
        Path target = from.resolve(name).normalize();
        if (!target.startsWith(top)) {
            throw new IOException("The PostgreSQL archive has an entry outside its folder: " + name);
        }
        return target;
    }
}
