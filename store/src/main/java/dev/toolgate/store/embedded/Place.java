package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Where the database lies and who runs it. That is in the home folder, unless we are root: then PostgreSQL
 * runs under another account, which cannot get into root's home or any folder that only root may enter.
 * Opening those folders to the account would open them to everybody, so programs and data then lie in
 * a folder in {@code /var/lib/toolgate}; a file in the home says which, and one in that folder says whose.
 */
record Place(Path folder, PostgresAccount account) {
    private static final String POINTER = "database.location";
    private static final Path OUTSIDE = Path.of("/var/lib/toolgate");

    Path data() {
        return folder.resolve("data");
    }

    Path programs() {
        return folder.resolve("postgres");
    }

    static Place of(Path home) throws IOException {
        PostgresAccount self = PostgresAccount.current();
        if (!self.isRoot()) {
            return checked(new Place(home, self));
        }
        PostgresAccount owner = PostgresAccount.owning(home);
        if (!owner.isRoot() && owner.hasName()) {
            // Whoever owns the home could put other programs there, so those run under no account but theirs.
            return checked(new Place(home, owner));
        }
        Path pointer = home.resolve(POINTER);
        if (Files.exists(pointer)) {
            return ofRoot(Path.of(Files.readString(pointer).strip()));
        }
        Place here = ofRoot(home);
        if (here.account.mayEnter(home)) {
            return here;
        }
        if (Files.exists(here.data())) {
            throw new IOException("PostgreSQL runs as '" + here.account.name() + "' when Toolgate is root, and that"
                    + " account cannot enter " + home + "; run: chmod a+x " + home);
        }
        Path elsewhere = newFolder(home);
        Permissions.write(pointer, elsewhere + "\n", "rw-------");
        return ofRoot(elsewhere);
    }

    /** Never one that was there: whoever deletes a home and starts anew does not want the old data. */
    private static Path newFolder(Path home) throws IOException {
        Permissions.folder(OUTSIDE, "rwxr-xr-x");
        Path folder = Files.createTempDirectory(OUTSIDE, "home-");
        Permissions.write(folder.resolve("home"), home + "\n", "rw-r--r--");
        Permissions.set(folder, "rwx--x--x");
        return folder;
    }

    /** The database in a folder keeps the account it was made for. */
    private static Place ofRoot(Path folder) throws IOException {
        Path data = folder.resolve("data");
        if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return new Place(folder, PostgresAccount.insteadOfRoot());
        }
        PostgresAccount owner = PostgresAccount.owning(data);
        if (owner.isRoot()) {
            String name = PostgresAccount.insteadOfRoot().name();
            throw new IOException("The data folder " + data + " belongs to root, which PostgreSQL refuses to run as;"
                    + " run: chown -R " + name + " " + data);
        }
        return new Place(folder, owner);
    }

    private static Place checked(Place place) throws IOException {
        Path data = place.data();
        if (PostgresPrograms.onWindows() || !Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return place;
        }
        PostgresAccount owner = PostgresAccount.owning(data);
        if (owner.uid() != place.account.uid()) {
            throw new IOException("The data folder " + data + " belongs to '" + owner.name() + "', not to '"
                    + place.account.name() + "'; run as root: chown -R " + place.account.name() + " " + data);
        }
        return place;
    }
}
