package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The folder and the account of the database. The folder is the home, unless this process is root: then PostgreSQL
 * runs under another account, which cannot enter root's home or any folder that only root can enter.
 * Making those accessible to that account would open them to all users, so programs and data are then in
 * a folder in {@code /var/lib/toolgate}; a file in the home names it, and a file in it names the home.
 */
record DatabaseLocation(Path folder, PostgresAccount account) {
    private static final String POINTER = "database.location";
    private static final Path OUTSIDE = Path.of("/var/lib/toolgate");

    Path data() {
        return folder.resolve("data");
    }

    Path programs() {
        return folder.resolve("postgres");
    }

    static DatabaseLocation of(Path home) throws IOException {
        PostgresAccount self = PostgresAccount.current();
        if (!self.isRoot()) {
            return checked(new DatabaseLocation(home, self));
        }
        PostgresAccount owner = PostgresAccount.owning(home);
        if (!owner.isRoot() && owner.hasName()) {
            // The owner of the home could replace the programs, so they run only under that account.
            return checked(new DatabaseLocation(home, owner));
        }
        Path pointer = home.resolve(POINTER);
        if (Files.exists(pointer)) {
            return ofRoot(Path.of(Files.readString(pointer).strip()));
        }
        DatabaseLocation here = ofRoot(home);
        if (here.account.mayEnter(home)) {
            return here;
        }
        if (Files.exists(here.data())) {
            throw new IOException(
                    "PostgreSQL runs as '" + here.account.name() + "' when Toolgate runs as root, but that"
                            + " account cannot enter " + home + "; run: chmod a+x " + home);
        }
        Path elsewhere = newFolder(home);
        Permissions.write(pointer, elsewhere + "\n", "rw-------");
        return ofRoot(elsewhere);
    }

    /** Always a new folder: after a home was deleted, the next start must not reuse the old data. */
    private static Path newFolder(Path home) throws IOException {
        Permissions.folder(OUTSIDE, "rwxr-xr-x");
        Path folder = Files.createTempDirectory(OUTSIDE, "home-");
        Permissions.write(folder.resolve("home"), home + "\n", "rw-r--r--");
        Permissions.set(folder, "rwx--x--x");
        return folder;
    }

    /** An existing database keeps its account. */
    private static DatabaseLocation ofRoot(Path folder) throws IOException {
        Path data = folder.resolve("data");
        if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return new DatabaseLocation(folder, PostgresAccount.insteadOfRoot());
        }
        PostgresAccount owner = PostgresAccount.owning(data);
        if (owner.isRoot()) {
            String name = PostgresAccount.insteadOfRoot().name();
            throw new IOException("The data folder " + data + " belongs to root, which PostgreSQL refuses to run as;"
                    + " run: chown -R " + name + " " + data);
        }
        return new DatabaseLocation(folder, owner);
    }

    private static DatabaseLocation checked(DatabaseLocation location) throws IOException {
        Path data = location.data();
        if (PostgresPrograms.onWindows() || !Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return location;
        }
        PostgresAccount owner = PostgresAccount.owning(data);
        if (owner.uid() != location.account.uid()) {
            throw new IOException("The data folder " + data + " belongs to '" + owner.name() + "', not to '"
                    + location.account.name() + "'; run as root: chown -R " + location.account.name() + " " + data);
        }
        return location;
    }
}
