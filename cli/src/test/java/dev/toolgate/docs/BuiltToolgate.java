package dev.toolgate.docs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** A folder like the build's, with the classes under test and the command toolgate. */
final class BuiltToolgate {
    private final Path folder;

    private BuiltToolgate(Path folder) {
        this.folder = folder;
    }

    static BuiltToolgate in(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, "dev.toolgate.cli.Main");
        attributes.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        attributes.put(Attributes.Name.CLASS_PATH, classPath());
        new JarOutputStream(Files.newOutputStream(folder.resolve("toolgate.jar")), manifest).close();
        Path command = folder.resolve("toolgate");
        Files.writeString(command, """
                #!/bin/sh
                set -eu
                [ "${1:-}" != hook ] || { shift && exec '%s' "$@"; }
                . '%s'
                launch '%s' '%s' "$@"
                """.formatted(
                        Documents.ROOT.resolve("scripts/hook"),
                        Documents.ROOT.resolve("scripts/launch.sh"),
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        folder));
        if (!command.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + command);
        }
        return new BuiltToolgate(folder);
    }

    /** The folder of the command, for the PATH. */
    Path folder() {
        return folder;
    }

    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
    }
}
