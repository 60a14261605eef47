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

/** Finds files that are places and were there before some time; what else lies about is left alone. */
final class PlaceWalk extends SimpleFileVisitor<Path> {
    private static final int AT_A_TIME = 500;

    private final Path folder;
    private final Pattern pattern;
    private final Instant before;
    private final Blobs.Places visitor;
    private final List<String> found = new ArrayList<>();

    PlaceWalk(Path folder, Pattern pattern, Instant before, Blobs.Places visitor) {
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
            if (found.size() >= AT_A_TIME) {
                end();
            }
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
        return FileVisitResult.CONTINUE; // deleted while we looked
    }

    /** Gives out what was found last. */
    void end() throws IOException {
        if (!found.isEmpty()) {
            visitor.visit(List.copyOf(found));
            found.clear();
        }
    }
}
