package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The account of the database: that of this process or, because PostgreSQL refuses to run as root, an
 * unprivileged account. It differs from the account of sandboxed commands, unless there is no other one.
 */
record PostgresAccount(String name, int uid, int gid) {
    private static final Path OWN_STATUS = Path.of("/proc/self/status");
    private static final Pattern UID = Pattern.compile("^Uid:\\t\\d+\\t(\\d+)", Pattern.MULTILINE);
    private static final Pattern GID = Pattern.compile("^Gid:\\t\\d+\\t(\\d+)", Pattern.MULTILINE);
    private static final PostgresAccount WITHOUT_NUMBERS = new PostgresAccount("", -1, -1);

    /** The account of this process. */
    static PostgresAccount current() throws IOException {
        if (PostgresPrograms.onWindows()) {
            return WITHOUT_NUMBERS;
        }
        String name = System.getProperty("user.name", "");
        if (!Files.exists(OWN_STATUS)) {
            return new PostgresAccount(name, Integer.parseInt(id("-u").output()), Integer.parseInt(id("-g").output()));
        }
        // Much faster than running a program, at every start.
        String status = Files.readString(OWN_STATUS);
        return new PostgresAccount(name, effective(UID, status), effective(GID, status));
    }

    /** The account of a new database when this process is root. */
    static PostgresAccount insteadOfRoot() throws IOException {
        for (String name : List.of("postgres", "daemon", "nobody")) {
            Optional<PostgresAccount> found = byName(name);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new IOException("PostgreSQL refuses to run as root and no suitable account exists; create one"
                + " with: useradd --system postgres");
    }

    /** The owner of a file or folder. */
    static PostgresAccount owning(Path path) throws IOException {
        return new PostgresAccount(
                Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName(),
                attribute(path, "uid"),
                attribute(path, "gid"));
    }

    boolean isRoot() {
        return uid == 0;
    }

    /** Whether the account has a name, which PostgreSQL needs to create a database. */
    boolean hasName() {
        return !name.matches("\\d*");
    }

    /** Makes this account the owner of a file or folder; only root can. */
    void own(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether this account can enter the folder, by the permission bits of it and its parents. */
    boolean mayEnter(Path folder) throws IOException {
        for (Path at = folder; at != null; at = at.getParent()) {
            int shift = attribute(at, "uid") == uid ? 6 : attribute(at, "gid") == gid ? 3 : 0;
            if ((attribute(at, "mode") >> shift & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    static Optional<PostgresAccount> byName(String name) throws IOException {
        PostgresPrograms.Result uid = id("-u", name);
        PostgresPrograms.Result gid = id("-g", name);
        return uid.code() == 0 && gid.code() == 0
                ? Optional.of(new PostgresAccount(name, Integer.parseInt(uid.output()), Integer.parseInt(gid.output())))
                : Optional.empty();
    }

    private static int effective(Pattern line, String status) throws IOException {
        Matcher matcher = line.matcher(status);
        if (!matcher.find()) {
            throw new IOException("The account that runs Toolgate cannot be determined; set DATABASE_URL.");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private static PostgresPrograms.Result id(String... arguments) throws IOException {
        String program = PostgresPrograms.find("id")
                .orElseThrow(
                        () -> new IOException("The program 'id' is missing; install coreutils or set DATABASE_URL."));
        List<String> command =
                Stream.concat(Stream.of(program), Stream.of(arguments)).toList();
        return PostgresPrograms.run(Path.of("/"), Duration.ofSeconds(10), command, "");
    }

    private static int attribute(Path path, String name) throws IOException {
        return (Integer) Objects.requireNonNull(Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS));
    }
}
