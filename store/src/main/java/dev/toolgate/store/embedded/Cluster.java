package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/** The data of the database: made once, whole or not at all, with one role that can log in with a password. */
final class Cluster {
    static final String USER = "toolgate";
    static final String DATABASE = "toolgate";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Cluster() {}

    /** Makes the data folder unless it is there; returns the password, which only we can read. */
    static String prepare(Path home, Launcher launcher) throws IOException {
        Path data = launcher.place().data();
        Path password = home.resolve("database.password");
        if (Files.exists(data)) {
            checkVersion(data);
            if (!Files.exists(password)) {
                throw new IOException("The database's password file " + password + " is missing; restore it from a"
                        + " backup of the home folder.");
            }
            return Files.readString(password).strip();
        }
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        String fresh = HexFormat.of().formatHex(secret);
        Permissions.write(password, fresh + "\n", "rw-------");
        create(launcher, fresh);
        return fresh;
    }

    private static void checkVersion(Path data) throws IOException {
        Path file = data.resolve("PG_VERSION");
        String version = Files.exists(file) ? Files.readString(file).strip() : "an unknown version";
        if (!version.equals(Binaries.MAJOR_VERSION)) {
            throw new IOException("The data folder " + data + " was written by PostgreSQL " + version
                    + " and this is PostgreSQL " + Binaries.MAJOR_VERSION + "; start the Toolgate that wrote it, or set"
                    + " TOOLGATE_HOME to another folder.");
        }
    }

    private static void create(Launcher launcher, String password) throws IOException {
        Place place = launcher.place();
        Path draft = place.folder().resolve(".initdb");
        if (Files.exists(draft)) {
            Permissions.delete(draft);
        }
        Permissions.folder(draft, "rwx------");
        if (place.account().uid() != Account.current().uid()) {
            place.account().own(draft);
        }
        Path data = draft.resolve("data");
        check(launcher.run(
                LIMIT,
                "",
                "initdb",
                "--pgdata=" + data,
                "--username=postgres",
                // Nobody logs in as the superuser, so it has no password; our own rules come with every start.
                "--auth=reject",
                "--encoding=UTF8",
                // The same order of text everywhere, also after the operating system has changed its own.
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8"));
        check(launcher.run(
                LIMIT, roleAndDatabase(password), "postgres", "--single", "-D", data.toString(), "postgres"));
        Files.move(data, place.data(), StandardCopyOption.ATOMIC_MOVE);
        Permissions.flush(place.folder());
        Permissions.delete(draft);
    }

    /** One command a line, as the single-user mode reads them; it also keeps the password off any command line. */
    private static String roleAndDatabase(String password) {
        return "CREATE ROLE " + USER + " LOGIN CREATEDB PASSWORD '" + password + "'\nCREATE DATABASE " + DATABASE
                + " OWNER " + USER + "\n";
    }

    private static void check(Programs.Ending ending) throws IOException {
        if (ending.output().contains("could not look up effective user ID")) {
            throw new IOException("PostgreSQL needs an account that has a name, and the one that runs Toolgate has no"
                    + " entry in /etc/passwd; use one that has, or set DATABASE_URL.");
        }
        boolean complained =
                ending.output().lines().anyMatch(line -> line.contains("ERROR:") || line.contains("FATAL:"));
        if (ending.code() != 0 || complained) {
            throw new IOException(
                    "The database cannot be created: " + ending.output().replaceAll("\\s*\\n\\s*", "; "));
        }
    }
}
