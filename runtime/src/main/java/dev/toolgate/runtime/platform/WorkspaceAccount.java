package dev.toolgate.runtime.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Selects the account that runs commands and owns files: the account of this process. A root process never works as
 * root for a caller; it uses the owner of the workspace or, if that is root too, an unprivileged account of the user
 * database.
 */
public final class WorkspaceAccount {
    private static final Account SELF = UserDatabase.current();

    private WorkspaceAccount() {}

    /** The account of this process. */
    public static Account current() {
        return SELF;
    }

    /**
     * The account for a workspace.
     *
     * @throws IOException if the workspace cannot be read, or no unprivileged account exists
     */
    public static Account of(Path workspace) throws IOException {
        if (!SELF.isRoot()) {
            return SELF;
        }
        Ownership owner = Ownership.of(workspace);
        if (owner.uid() != 0) {
            return UserDatabase.byUid(owner.uid())
                    .orElseGet(() -> new Account(Integer.toString(owner.uid()), owner.uid(), owner.gid()));
        }
        return UserDatabase.byName("toolgate")
                .or(() -> UserDatabase.byName("nobody"))
                .orElseThrow(() -> new IOException(
                        "There is no unprivileged account to use instead of root; create one with: useradd"
                                + " --system toolgate"));
    }

    /** Makes the account the owner of the folder itself; does nothing unless this process is root. */
    public static void changeOwner(Path workspace, Account account) throws IOException {
        if (SELF.isRoot()) {
            Files.setAttribute(workspace, "unix:uid", account.uid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(workspace, "unix:gid", account.gid(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Creates a workspace unless it exists; a new one belongs to the account that works in it. */
    public static void createIfMissing(Path workspace) throws IOException {
        if (!Files.isDirectory(workspace)) {
            Files.createDirectories(workspace);
            changeOwner(workspace, of(workspace));
        }
    }

    /** Why the account cannot write to the workspace and what to do, in one sentence; empty if it can. */
    public static Optional<String> writeProblem(Path workspace, Account account) throws IOException {
        if (!SELF.isRoot()) {
            return Files.isWritable(workspace) ? Optional.empty() : Optional.of(cannotWrite(workspace, account));
        }
        Ownership owner = Ownership.of(workspace);
        if (!owner.permits(account, 7)) {
            return Optional.of(cannotWrite(workspace, account));
        }
        return Optional.empty();
    }

    /** The topmost parent folder of the workspace that the account may not enter, if there is one. */
    public static Optional<Path> closedParent(Path workspace, Account account) throws IOException {
        if (!SELF.isRoot()) {
            return Optional.empty();
        }
        Path closed = null;
        for (Path above = workspace.getParent(); above != null; above = above.getParent()) {
            if (!Ownership.of(above).permits(account, 1)) {
                closed = above;
            }
        }
        return Optional.ofNullable(closed);
    }

    private static String cannotWrite(Path workspace, Account account) throws IOException {
        return "Account '" + account.name() + "' cannot write to the workspace " + workspace + ", which belongs to '"
                + Files.getOwner(workspace).getName() + "'; run: chown " + account.uid() + ":" + account.gid() + " "
                + workspace;
    }

    private record Ownership(int uid, int gid, int mode) {
        static Ownership of(Path path) throws IOException {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,gid,mode");
            return new Ownership(number(attributes, "uid"), number(attributes, "gid"), number(attributes, "mode"));
        }

        private static int number(Map<String, Object> attributes, String name) {
            return (Integer) Objects.requireNonNull(attributes.get(name));
        }

        boolean permits(Account account, int bits) {
            int shift = uid == account.uid() ? 6 : gid == account.gid() ? 3 : 0;
            return (mode >> shift & bits) == bits;
        }
    }
}
