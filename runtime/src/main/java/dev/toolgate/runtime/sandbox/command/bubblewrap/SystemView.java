package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The part of the system that commands may read: programs, libraries and configuration without secrets.
 *
 * @param shown the bubblewrap arguments
 * @param added the bubblewrap arguments for further folders, which may lie where private folders are mounted
 * @param hidden files of {@code /proc} that are not isolated by a namespace
 */
record SystemView(List<String> shown, List<String> added, List<Path> hidden) {
    /** Programs and libraries. */
    static final List<Path> PROGRAMS = Stream.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
            .map(Path::of)
            .toList();

    /** Excludes shadow, host names, keys, and package-manager settings, which may contain tokens. */
    private static final List<String> ETC = List.of(
            "passwd",
            "group",
            "nsswitch.conf",
            "ld.so.cache",
            "ld.so.conf",
            "ld.so.conf.d",
            "localtime",
            "timezone",
            "locale.alias",
            "alternatives",
            "ssl/certs",
            "ssl/openssl.cnf",
            "ca-certificates",
            "pki/tls/certs",
            "pki/ca-trust/extracted",
            "crypto-policies",
            "os-release",
            "debian_version",
            "mime.types",
            "magic",
            "magic.mime",
            "fonts",
            "matplotlibrc",
            "protocols",
            "services",
            "perl",
            "python3");

    /** Finds what exists on this machine. */
    static SystemView look(List<Path> alsoReadable) throws ToolFailure {
        try {
            List<String> arguments = new ArrayList<>();
            for (Path root : PROGRAMS) {
                show(root, arguments);
            }
            for (String name : ETC) {
                show(Path.of("/etc", name), arguments);
            }
            try (Stream<Path> names = Files.list(Path.of("/etc"))) {
                // Java packages of distributions keep required settings here.
                for (Path java : names.filter(
                                name -> name.getFileName().toString().startsWith("java"))
                        .sorted()
                        .toList()) {
                    show(java, arguments);
                }
            }
            List<String> added = new ArrayList<>();
            for (Path path : alsoReadable) {
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    BindSource.withoutLinks(path);
                    added.addAll(List.of("--ro-bind", path.toString(), path.toString()));
                }
            }
            List<Path> hidden = Stream.of(Path.of("/proc/keys"), Path.of("/proc/key-users"))
                    .filter(Files::exists)
                    .toList();
            return new SystemView(List.copyOf(arguments), List.copyOf(added), hidden);
        } catch (IOException unreadable) {
            throw BindSource.refusal("Commands cannot be confined because the system folders cannot be read ("
                    + unreadable.getMessage() + "); check that /etc is readable");
        }
    }

    private static void show(Path path, List<String> arguments) throws IOException {
        if (Files.isSymbolicLink(path)) {
            // Created as a link, so that it only leads to files visible in the sandbox.
            arguments.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
        } else if (Files.isReadable(path)) {
            arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
        }
    }
}
