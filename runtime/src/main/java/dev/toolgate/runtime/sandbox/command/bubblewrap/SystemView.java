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
 * The part of the system that commands may read: programs, libraries and harmless settings.
 *
 * @param shown bubblewrap's arguments for it
 * @param hidden files of {@code /proc} that no namespace separates
 */
record SystemView(List<String> shown, List<Path> hidden) {
    /** Programs and what they load. */
    static final List<Path> PROGRAMS = Stream.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
            .map(Path::of)
            .toList();

    /** No shadow, no host names or keys, no package-manager settings that may hold tokens. */
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

    /** What this machine has of it. */
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
                // A distribution's Java keeps its settings here and does not start without them.
                for (Path java : names.filter(
                                name -> name.getFileName().toString().startsWith("java"))
                        .sorted()
                        .toList()) {
                    show(java, arguments);
                }
            }
            for (Path path : alsoReadable) {
                if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    BindSource.withoutLinks(path);
                    arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
                }
            }
            List<Path> hidden = Stream.of(Path.of("/proc/keys"), Path.of("/proc/key-users"))
                    .filter(Files::exists)
                    .toList();
            return new SystemView(List.copyOf(arguments), hidden);
        } catch (IOException unreadable) {
            throw BindSource.refusal("Commands cannot be confined because the system's folders cannot be looked at ("
                    + unreadable.getMessage() + "); check that /etc is readable");
        }
    }

    private static void show(Path path, List<String> arguments) throws IOException {
        if (Files.isSymbolicLink(path)) {
            // Shown as the link it is, so that it leads only to what the sandbox has.
            arguments.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
        } else if (Files.isReadable(path)) {
            arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
        }
    }
}
