package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folders of a test: a workspace that belongs to an ordinary account also when the test runs as
 * root, the world outside it with a secret in it, and a folder for the program's own state.
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
            WorkspaceAccount.give(inside, account);
            return new Folders(inside, outside, state, account);
        } catch (IOException trouble) {
            throw new UncheckedIOException(trouble);
        }
    }

    public Path victim() {
        return outside.resolve("victim.txt");
    }

    /** Creates a file of the account, with its folders. */
    public Path file(String relative, String content) throws IOException {
        Path file = inside.resolve(relative);
        folder(inside.relativize(file.getParent()).toString());
        Files.writeString(file, content);
        WorkspaceAccount.give(file, account);
        return file;
    }

    /** Creates a folder of the account. */
    public Path folder(String relative) throws IOException {
        Path folder = inside;
        for (Path name : Path.of(relative)) {
            folder = folder.resolve(name);
            if (!name.toString().isEmpty() && !Files.exists(folder)) {
                WorkspaceAccount.give(Files.createDirectory(folder), account);
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
