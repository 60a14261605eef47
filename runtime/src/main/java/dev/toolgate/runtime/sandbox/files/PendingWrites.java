package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records temporary files while they exist. If a process is killed during a write, its record is left behind, and the
 * next start removes the temporary file.
 */
public final class PendingWrites {
    private static final Logger LOG = LoggerFactory.getLogger(PendingWrites.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String NOTE_SUFFIX = ".pending";
    private static final Pattern TEMPORARY = Pattern.compile("\\.toolgate-[0-9a-f]{24}\\.tmp");

    private final Path folder;
    private final ProcessIdentity self = ProcessIdentity.current();

    private PendingWrites(Path folder) {
        this.folder = folder;
    }

    /** Opens the records in the state folder, after cleaning up behind ended processes. */
    public static PendingWrites in(Path stateFolder) {
        Path folder = stateFolder.resolve("pending-writes");
        try {
            Files.createDirectories(folder);
        } catch (IOException trouble) {
            throw new UncheckedIOException("The folder " + folder + " cannot be created; check its parent.", trouble);
        }
        PendingWrites pending = new PendingWrites(folder);
        pending.cleanUp();
        return pending;
    }

    /** A unique name that clean-up recognises. */
    static String temporaryName() {
        return ".toolgate-" + random() + ".tmp";
    }

    /** Records that a temporary file is about to be created in this folder beneath this root. */
    Entry begin(Path root, Path where) throws ToolFailure, ClosedByInterruptException {
        String temporary = temporaryName();
        Entry entry = new Entry(folder.resolve(self + "-" + random() + NOTE_SUFFIX), temporary);
        try {
            // NUL separates the paths, because no path contains it.
            Files.writeString(entry.note(), root + "\0" + where.resolve(temporary), StandardOpenOption.CREATE_NEW);
            return entry;
        } catch (ClosedByInterruptException stopped) {
            entry.close();
            throw stopped;
        } catch (IOException trouble) {
            entry.close();
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "Nothing was written, because the write could not be recorded in " + folder
                            + "; check its permissions and the free disk space");
        }
    }

    /**
     * A record, deleted once the temporary file was renamed or removed.
     *
     * @param temporary the name of the temporary file
     */
    record Entry(Path note, String temporary) implements AutoCloseable {
        @Override
        public void close() {
            try {
                Files.deleteIfExists(note);
            } catch (IOException trouble) {
                LOG.warn("The write record {} could not be removed; the next start will remove it", note, trouble);
            }
        }
    }

    private void cleanUp() {
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(folder, "*" + NOTE_SUFFIX)) {
            for (Path note : notes) {
                if (!ProcessIdentity.of(note.getFileName().toString()).isAlive()) {
                    cleanUp(note);
                }
            }
        } catch (IOException trouble) {
            LOG.warn("Unfinished writes of an earlier run could not be listed in {}", folder, trouble);
        }
    }

    private void cleanUp(Path note) {
        try {
            String[] paths = Files.readString(note).split("\0");
            if (paths.length == 2) {
                removeTemporary(Path.of(paths[0]), Path.of(paths[1]));
            }
            Files.deleteIfExists(note);
        } catch (IOException | ToolFailure trouble) {
            LOG.warn("The unfinished write recorded in {} could not be cleaned up: {}", note, trouble.getMessage());
        }
    }

    private void removeTemporary(Path root, Path temporary) throws IOException, ToolFailure {
        if (!Files.exists(root)) {
            return;
        }
        Path realRoot = root.toRealPath();
        Path name = temporary.getFileName();
        if (name == null || !TEMPORARY.matcher(name.toString()).matches() || !temporary.startsWith(realRoot)) {
            return;
        }
        try {
            // The path to the temporary file is not trusted, because files beneath the root may have changed.
            RootedFiles.at(realRoot, WorkspaceAccount.current(), this)
                    .delete(Target.of(realRoot.relativize(temporary).toString()), FileGuard.OPEN);
        } catch (ToolFailure failure) {
            switch (failure.failure().code()) {
                case FILE_NOT_FOUND -> LOG.debug("{} was already deleted", temporary);
                default -> throw failure;
            }
        }
    }

    private static String random() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
