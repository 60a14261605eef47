package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folders of a test: a workspace owned by an unprivileged account, even if the test runs as root; a folder outside
 * it with a secret; and a state folder.
 */
public record Folders(Path inside, Path outside, Path state, Account account) {
    public static final String SECRET = "the content of a file outside";

    public static Folders in(Path temporary) {
        try {
            Path inside = Files.createDirectory(temporary.resolve("inside"));
            Path outside = Files.createDirectory(temporary.resolve("outside"));
            Path state = Files.createDirectory(temporary.resolve("state"));
            Files.writeString(outside.resolve("victim.txt"), SECRET);
            Account account = WorkspaceAccount.of(inside);
            WorkspaceAccount.changeOwner(inside, account);
            return new Folders(inside, outside, state, account);
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    public Path victim() {
        return outside.resolve("victim.txt");
    }

    /** Creates a file owned by the account, with its parent folders. */
    public Path file(String relative, String content) throws IOException {
        Path file = inside.resolve(relative);
        folder(inside.relativize(file.getParent()).toString());
        Files.writeString(file, content);
        WorkspaceAccount.changeOwner(file, account);
        return file;
    }

    /** Creates a folder owned by the account. */
    public Path folder(String relative) throws IOException {
        Path folder = inside;
        for (Path name : Path.of(relative)) {
            folder = folder.resolve(name);
            if (!name.toString().isEmpty() && !Files.exists(folder)) {
                WorkspaceAccount.changeOwner(Files.createDirectory(folder), account);
            }
        }
        return folder;
    }

    public PendingWrites pending() {
        return PendingWrites.in(state);
    }

    public Workspace workspace() {
        try {
            return Workspace.open(inside, null, DangerousPaths.standard(), pending());
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }
}
