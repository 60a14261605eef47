package dev.toolgate.store.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The programs of the database, unpacked once for all JVMs of a build, into its folder. */
public final class UnpackedPrograms {
    private static final Path FOLDER = Path.of(System.getProperty("toolgate.root", ".."), "target", "postgres")
            .toAbsolutePath()
            .normalize();

    private UnpackedPrograms() {}

    /** Their folder, unless the account of the database cannot enter it. */
    public static Optional<Path> folder() throws IOException {
        Files.createDirectories(FOLDER.getParent());
        try (FileChannel turn = FileChannel.open(FOLDER.resolveSibling("postgres.turn"), CREATE, WRITE);
                FileLock _ = turn.lock()) {
            Permissions.folder(FOLDER, "rwxr-xr-x");
            PostgresAccount self = PostgresAccount.current();
            if (self.isRoot() && !PostgresAccount.insteadOfRoot().mayEnter(FOLDER)) {
                return Optional.empty();
            }
            Binaries.in(FOLDER);
        }
        return Optional.of(FOLDER);
    }
}
