package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/** The data folder of the database: created once, atomically, with three roles that have a password each. */
final class Cluster {
    static final String USER = "toolgate";
    static final String DATABASE = "toolgate";
    static final String GATE = "toolgate_gate";
    static final String RETENTION = "toolgate_retention";
    /**
     * Iterations make short passwords hard to guess from their hashes. These passwords are random and long, and a start
     * opens a dozen connections, each of which would need the default of 4,096 iterations.
     */
    private static final String FEW_ITERATIONS = "SET scram_iterations = 16\n";

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Cluster() {}

    /** Creates the data folder unless it exists; returns the owner's password, stored in a private file. */
    static String prepare(Path home, PostgresLauncher launcher) throws IOException {
        Path data = launcher.location().data();
        Path password = home.resolve("database.password");
        if (Files.exists(data)) {
            checkVersion(data);
            if (!Files.exists(password)) {
                throw new IOException("The password file of the database " + password + " is missing; restore it from a"
                        + " backup of the data folder.");
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

    /** Creates the roles unless they exist; data of an older version has none. No server may be running. */
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
                    launcher.location().data().toString(),
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
        DatabaseLocation location = launcher.location();
        Path draft = location.folder().resolve(".initdb");
        if (Files.exists(draft)) {
            Permissions.delete(draft);
        }
        Permissions.folder(draft, "rwx------");
        if (location.account().uid() != PostgresAccount.current().uid()) {
            location.account().own(draft);
        }
        Path data = draft.resolve("data");
        check(launcher.run(
                LIMIT,
                "",
                "initdb",
                "--pgdata=" + data,
                "--username=postgres",
                // The superuser never logs in, so it has no password; pg_hba rules are written at every start.
                "--auth=reject",
                "--encoding=UTF8",
                // The same collation everywhere, independent of the operating system and its updates.
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8"));
        check(launcher.run(
                LIMIT, FEW_ITERATIONS + rolesAndDatabase, "postgres", "--single", "-D", data.toString(), "postgres"));
        Files.move(data, location.data(), StandardCopyOption.ATOMIC_MOVE);
        Permissions.flush(location.folder());
        Permissions.delete(draft);
    }

    /** One command per line, for single-user mode, which also keeps the password off command lines. */
    private static String roleAndDatabase(String password) {
        return "CREATE ROLE " + USER + " LOGIN CREATEDB PASSWORD '" + password + "'\nCREATE DATABASE " + DATABASE
                + " OWNER " + USER + "\n";
    }

    // The owner is a member of the retention role, so that it can make it the owner of the audit tables.
    private static String roles(Passwords passwords) {
        String make = """
                DO $$ BEGIN IF to_regrole('%1$s') IS NULL THEN CREATE ROLE %1$s; END IF; END $$
                ALTER ROLE %1$s LOGIN PASSWORD '%2$s'
                """;
        return make.formatted(GATE, passwords.gate()) + make.formatted(RETENTION, passwords.retention()) + "GRANT "
                + RETENTION + " TO " + USER + "\n";
    }

    private static void check(PostgresPrograms.Result result) throws IOException {
        if (result.output().contains("could not look up effective user ID")) {
            throw new IOException("PostgreSQL needs an account with a name, but the one that runs Toolgate has no"
                    + " entry in /etc/passwd; use another account, or set DATABASE_URL.");
        }
        boolean complained =
                result.output().lines().anyMatch(line -> line.contains("ERROR:") || line.contains("FATAL:"));
        if (result.code() != 0 || complained) {
            throw new IOException(
                    "The database cannot be created: " + result.output().replaceAll("\\s*\\n\\s*", "; "));
        }
    }
}
