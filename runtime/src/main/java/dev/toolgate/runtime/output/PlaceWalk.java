package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.Blobs;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds blob files older than a given time; all other files are ignored. */
final class PlaceWalk extends SimpleFileVisitor<Path> {
    private static final int BATCH_SIZE = 500;

    private final Path folder;
    private final Pattern pattern;
    private final Instant before;
    private final Blobs.PlaceVisitor visitor;
    private final List<String> found = new ArrayList<>();

    PlaceWalk(Path folder, Pattern pattern, Instant before, Blobs.PlaceVisitor visitor) {
        this.folder = folder;
        this.pattern = pattern;
        this.before = before;
        this.visitor = visitor;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        String place = folder.relativize(file).toString().replace('\\', '/');
        if (attributes.isRegularFile()
                && attributes.lastModifiedTime().toInstant().isBefore(before)
                && pattern.matcher(place).matches()) {
            found.add(place);
            if (found.size() >= BATCH_SIZE) {
                end();
            }
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
        return FileVisitResult.CONTINUE; // deleted in the meantime
    }

    /** Reports the last, incomplete batch. */
    void end() throws IOException {
        if (!found.isEmpty()) {
            visitor.visit(List.copyOf(found));
            found.clear();
        }
    }
}
