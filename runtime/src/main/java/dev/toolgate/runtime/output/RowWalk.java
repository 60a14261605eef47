package dev.toolgate.runtime.output;

import dev.toolgate.core.artifact.ArtifactIndex.Row;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads all rows below a folder, while other threads or processes may add and remove rows. */
final class RowWalk extends SimpleFileVisitor<Path> {
    private final List<Row> rows = new ArrayList<>();

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (ArtifactRowJson.isRow(file)) {
            ArtifactRowJson.read(file).ifPresent(rows::add);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        return unlessGone(failure);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
        return failure == null ? FileVisitResult.CONTINUE : unlessGone(failure);
    }

    // Only deleted rows may be skipped: an unreadable row still counts towards a quota.
    private static FileVisitResult unlessGone(IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    List<Row> rows() {
        return rows;
    }
}
