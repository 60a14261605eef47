package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Where the database lies and who runs it. That is in the home folder, unless we are root: then PostgreSQL
 * runs under another account, which cannot get into root's home or any folder that only root may enter.
 * Opening those folders to the account would open them to everybody, so programs and data then lie in
 * {@code /var/lib/toolgate}, in a folder named after the home, and a file in the home says where.
 */
record Place(Path folder, Account account) {
    static final String POINTER = "database.location";
    private static final Path FOR_ROOT = Path.of("/var/lib/toolgate");

    Path data() {
        return folder.resolve("data");
    }

    Path programs() {
        return folder.resolve("postgres");
    }

    static Place of(Path home) throws IOException {
        Account self = Account.current();
        if (!self.isRoot()) {
            Place here = new Place(home, self);
            refuseData(here);
            return here;
        }
        Path pointer = home.resolve(POINTER);
        if (Files.exists(pointer)) {
            return forRoot(Path.of(Files.readString(pointer).strip()));
        }
        Place here = forRoot(home);
        if (here.account.mayEnter(home)) {
            return here;
        }
        if (Files.exists(here.data())) {
            throw new IOException("PostgreSQL runs as '" + here.account.name() + "' when Toolgate is root, and that"
                    + " account cannot enter " + home + "; run: chmod a+x " + home);
        }
        Path elsewhere = FOR_ROOT.resolve(UUID.nameUUIDFromBytes(home.toString().getBytes(StandardCharsets.UTF_8))
                .toString());
        Permissions.folder(elsewhere, "rwx--x--x");
        Permissions.write(pointer, elsewhere + "\n", "rw-------");
        return forRoot(elsewhere);
    }

    /** The database in a folder keeps the account it was made for. */
    private static Place forRoot(Path folder) throws IOException {
        Path data = folder.resolve("data");
        if (!Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return new Place(folder, Account.insteadOfRoot());
        }
        Account owner = Account.owning(data);
        if (owner.isRoot()) {
            String name = Account.insteadOfRoot().name();
            throw new IOException("The data folder " + data + " belongs to root, which PostgreSQL refuses to run as;"
                    + " run: chown -R " + name + " " + data);
        }
        return new Place(folder, owner);
    }

    private static void refuseData(Place place) throws IOException {
        Path data = place.data();
        if (Programs.onWindows() || !Files.exists(data)) {
            return;
        }
        Account owner = Account.owning(data);
        if (owner.uid() != place.account.uid()) {
            throw new IOException("The data folder " + data + " belongs to '" + owner.name() + "', not to '"
                    + place.account.name() + "'; start Toolgate as its owner or as root, or set TOOLGATE_HOME to"
                    + " another folder.");
        }
    }
}
