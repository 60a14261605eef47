package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds system programs in fixed folders. PATH is not used, because it may contain a workspace. */
final class SandboxPrograms {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/usr/sbin", "/bin", "/sbin");

    private SandboxPrograms() {}

    static Optional<Path> find(String name) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The command that installs a package on this system. */
    static String installLine(String itsPackage) {
        if (find("apt-get").isPresent()) {
            return "apt-get install -y " + itsPackage;
        }
        if (find("dnf").isPresent()) {
            return "dnf install -y " + itsPackage;
        }
        if (find("apk").isPresent()) {
            return "apk add " + itsPackage;
        }
        if (find("pacman").isPresent()) {
            return "pacman -S " + itsPackage;
        }
        return "install the package " + itsPackage;
    }
}
