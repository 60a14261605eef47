package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;

/** Descends from a root, keeping only the current folder open. */
final class FolderWalk implements AutoCloseable {
    private final Path root;
    private SecureDirectoryStream<Path> folder;
    private Path place;

    private FolderWalk(Path root, SecureDirectoryStream<Path> folder) {
        this.root = root;
        this.folder = folder;
        this.place = root;
    }

    @SuppressWarnings("StreamResourceLeak") // the walk closes it
    static FolderWalk from(Path root) throws IOException, ToolFailure {
        Path real = root.toRealPath();
        DirectoryStream<Path> stream = Files.newDirectoryStream(real);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return new FolderWalk(real, secure);
        }
        stream.close();
        throw DirectoryStreamFiles.unsupported();
    }

    SecureDirectoryStream<Path> folder() {
        return folder;
    }

    Path place() {
        return place;
    }

    Path root() {
        return root;
    }

    /** Descends a relative path. Refuses links; throws {@link NoSuchFileException} for a missing name. */
    void down(String relative, Target target) throws IOException, ToolFailure {
        if (relative.isEmpty()) {
            return;
        }
        for (Path name : Path.of(relative)) {
            step(name, target);
        }
    }

    private void step(Path name, Target target) throws IOException, ToolFailure {
        BasicFileAttributes attributes = attributes(name);
        if (attributes.isSymbolicLink()) {
            throw FileFailures.outside(target.shown());
        }
        if (!attributes.isDirectory()) {
            throw new NotDirectoryException(target.shown());
        }
        SecureDirectoryStream<Path> next = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        folder.close();
        folder = next;
        place = place.resolve(name);
    }

    /**
     * The attributes of an entry of the folder, without following links. Owner, mode and link count can only be read by
     * path; they are used only if the path still refers to the same file.
     */
    FileStat look(String name, Target target) throws IOException, ToolFailure {
        return stat(place.resolve(name), attributes(Path.of(name)), target);
    }

    /** The attributes of the folder itself. */
    FileStat self(Target target) throws IOException, ToolFailure {
        BasicFileAttributes attributes =
                folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
        return stat(place, attributes, target);
    }

    private BasicFileAttributes attributes(Path name) throws IOException {
        return folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static FileStat stat(Path path, BasicFileAttributes held, Target target) throws IOException, ToolFailure {
        Map<String, Object> byPath =
                Files.readAttributes(path, "unix:mode,nlink,uid,gid,dev,ino,fileKey", LinkOption.NOFOLLOW_LINKS);
        if (!Objects.equals(byPath.get("fileKey"), held.fileKey())) {
            throw FileFailures.changedWhileOpening(target.shown());
        }
        return new FileStat(
                number(byPath, "mode").intValue(),
                number(byPath, "nlink").intValue(),
                number(byPath, "uid").intValue(),
                number(byPath, "gid").intValue(),
                number(byPath, "dev").longValue(),
                number(byPath, "ino").longValue(),
                held.size());
    }

    private static Number number(Map<String, Object> attributes, String name) {
        return (Number) Objects.requireNonNull(attributes.get(name));
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
