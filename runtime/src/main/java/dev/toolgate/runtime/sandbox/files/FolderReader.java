package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Lists a folder of any size in bounded memory: the first names in order, and the total number. */
final class FolderReader {
    private FolderReader() {}

    static Listing read(Path folder, int limit) throws IOException, InterruptedException {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            return read(
                    names,
                    limit,
                    entry -> Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        }
    }

    static Listing read(DirectoryStream<Path> names, int limit, AttributeReader reader)
            throws IOException, InterruptedException {
        TreeSet<Path> kept = new TreeSet<>(
                Comparator.comparing((Path entry) -> nameOf(entry)).thenComparing(Comparator.naturalOrder()));
        long total = 0;
        try {
            for (Path entry : names) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                total++;
                kept.add(entry);
                if (kept.size() > limit) {
                    kept.pollLast();
                }
            }
        } catch (DirectoryIteratorException wrapped) {
            throw new IOException("the folder could not be read completely", wrapped);
        }
        List<Listing.Entry> entries = new ArrayList<>(kept.size());
        for (Path entry : kept) {
            try {
                BasicFileAttributes attributes = reader.read(entry);
                entries.add(new Listing.Entry(nameOf(entry), kindOf(attributes), attributes.size()));
            } catch (NoSuchFileException deleted) {
                total--;
            }
        }
        return new Listing(entries, total);
    }

    private static String nameOf(Path entry) {
        return String.valueOf(entry.getFileName());
    }

    private static FileKind kindOf(BasicFileAttributes attributes) {
        if (attributes.isDirectory()) {
            return FileKind.FOLDER;
        }
        if (attributes.isRegularFile()) {
            return FileKind.FILE;
        }
        return attributes.isSymbolicLink() ? FileKind.LINK : FileKind.OTHER;
    }

    /** Reads the attributes of an entry, without following links. */
    @FunctionalInterface
    interface AttributeReader {
        BasicFileAttributes read(Path entry) throws IOException;
    }
}
