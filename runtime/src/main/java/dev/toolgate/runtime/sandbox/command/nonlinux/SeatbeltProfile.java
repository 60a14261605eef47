package dev.toolgate.runtime.sandbox.command.nonlinux;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The macOS sandbox profile for a command: denies everything except programs, some configuration and the workspace.
 * Folders are passed as parameters, so their names cannot inject rules. Covered by unit tests only.
 */
final class SeatbeltProfile {
    /** Absolute, so that no program of the same name in PATH is used. */
    static final String PROGRAM = "/usr/bin/sandbox-exec";

    static final String TEXT = """
            (version 1)
            (deny default)
            (allow process-fork)
            (allow process-exec)
            (allow signal (target same-sandbox))
            (allow process-info* (target same-sandbox))
            (allow sysctl-read)
            (allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
            (allow file-read-metadata)
            (allow file-read* (literal "/"))
            (allow file-read*
              (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/System")
              (subpath "/Library/Developer") (subpath "/Library/Java") (subpath "/opt/homebrew")
              (subpath "/private/etc/ssl") (subpath "/private/var/db/timezone")
              (subpath "/private/var/select")
              (literal "/private/etc/passwd") (literal "/private/etc/group")
              (literal "/private/etc/hosts") (literal "/private/etc/localtime")
              (literal "/private/etc/services") (literal "/private/etc/protocols"))
            (allow file-read* file-write-data
              (literal "/dev/null") (literal "/dev/zero")
              (literal "/dev/random") (literal "/dev/urandom"))
            (allow file-read* file-write*
              (subpath (param "WORKSPACE")) (subpath (param "TEMPORARY")))
            (deny file-read* file-write*
              (literal (string-append (param "WORKSPACE") "/.env")))
            (deny file-write*
              (literal (string-append (param "WORKSPACE") "/.git"))
              (literal (string-append (param "WORKSPACE") "/.git/config"))
              (subpath (string-append (param "WORKSPACE") "/.git/hooks")))
            """;

    private SeatbeltProfile() {}

    /** The complete command line. */
    static List<String> arguments(Path workspace, Path temporary, List<String> command) {
        List<String> line = new ArrayList<>(
                List.of(PROGRAM, "-D", "WORKSPACE=" + workspace, "-D", "TEMPORARY=" + temporary, "-p", TEXT));
        line.addAll(command);
        return List.copyOf(line);
    }
}
