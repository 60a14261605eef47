package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/** The data of the database: made once, whole or not at all, with three roles that can log in with a password each. */
final class Cluster {
    static final String USER = "toolgate";
    static final String DATABASE = "toolgate";
    static final String GATE = "toolgate_gate";
    static final String RETENTION = "toolgate_retention";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Cluster() {}

    /** Makes the data folder unless it is there; returns the password, which only we can read. */
    static String prepare(Path home, PostgresLauncher launcher) throws IOException {
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
        String fresh = newPassword();
        Permissions.write(password, fresh + "\n", "rw-------");
        Passwords roles = new Passwords(newPassword(), newPassword());
        create(launcher, roleAndDatabase(fresh) + roles(roles));
        keep(home, roles);
        return fresh;
    }

    /** The passwords of the roles for the gate and for retention. */
    record Passwords(String gate, String retention) {}

    /** Makes the roles unless they are there, as in data of a former version; while no server runs. */
    static Passwords prepareRoles(Path home, PostgresLauncher launcher) throws IOException {
        Path gate = home.resolve("database.gate.password");
        Path retention = home.resolve("database.retention.password");
        if (!Files.exists(gate) || !Files.exists(retention)) {
            Passwords fresh = new Passwords(newPassword(), newPassword());
            check(launcher.run(
                    LIMIT,
                    roles(fresh),
                    "postgres",
                    "--single",
                    "-D",
                    launcher.place().data().toString(),
                    "postgres"));
            keep(home, fresh);
        }
        return new Passwords(
                Files.readString(gate).strip(), Files.readString(retention).strip());
    }

    private static void keep(Path home, Passwords passwords) throws IOException {
        Permissions.write(home.resolve("database.gate.password"), passwords.gate() + "\n", "rw-------");
        Permissions.write(home.resolve("database.retention.password"), passwords.retention() + "\n", "rw-------");
    }

    private static String newPassword() {
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
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

    private static void create(PostgresLauncher launcher, String rolesAndDatabase) throws IOException {
        Place place = launcher.place();
        Path draft = place.folder().resolve(".initdb");
        if (Files.exists(draft)) {
            Permissions.delete(draft);
        }
        Permissions.folder(draft, "rwx------");
        if (place.account().uid() != PostgresAccount.current().uid()) {
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
        check(launcher.run(LIMIT, rolesAndDatabase, "postgres", "--single", "-D", data.toString(), "postgres"));
        Files.move(data, place.data(), StandardCopyOption.ATOMIC_MOVE);
        Permissions.flush(place.folder());
        Permissions.delete(draft);
    }

    /** One command a line, as the single-user mode reads them; it also keeps the password off any command line. */
    private static String roleAndDatabase(String password) {
        return "CREATE ROLE " + USER + " LOGIN CREATEDB PASSWORD '" + password + "'\nCREATE DATABASE " + DATABASE
                + " OWNER " + USER + "\n";
    }

    // The owner is a member of the role of retention, so that it can hand the tables of records over to it.
    private static String roles(Passwords passwords) {
        String make = """
                DO $$ BEGIN IF to_regrole('%1$s') IS NULL THEN CREATE ROLE %1$s; END IF; END $$
                ALTER ROLE %1$s LOGIN PASSWORD '%2$s'
                """;
        return make.formatted(GATE, passwords.gate()) + make.formatted(RETENTION, passwords.retention()) + "GRANT "
                + RETENTION + " TO " + USER + "\n";
    }

    private static void check(PostgresPrograms.Ending ending) throws IOException {
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
