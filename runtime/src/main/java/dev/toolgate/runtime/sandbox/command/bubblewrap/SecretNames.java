package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.nio.file.Files;
import java.util.Locale;
import java.util.Set;

/** Names that hold credentials by convention; commands see them empty. */
final class SecretNames {
    private static final Set<String> FILES = Set.of(".netrc", ".pgpass", ".git-credentials");
    private static final Set<String> FOLDERS = Set.of(".ssh", ".aws", ".gnupg", ".kube", ".docker", ".toolgate");

    private SecretNames() {}

    /**
     * Whether something is kept from commands.
     *
     * @param name the name it goes by, in any case
     * @param actual what is there, or, if the name is a link, what that leads to
     */
    static boolean isSecret(String name, BindSource actual) {
        String plain = name.toLowerCase(Locale.ROOT);
        return switch (actual.kind()) {
            case FILE -> plain.startsWith(".env") || FILES.contains(plain);
            case FOLDER -> FOLDERS.contains(plain) || (plain.startsWith(".env") && !isPythonEnvironment(actual));
            case LINK, OTHER -> false;
        };
    }

    // Some people name these .env too; they hold programs that commands need.
    private static boolean isPythonEnvironment(BindSource folder) {
        return Files.exists(folder.path().resolve("pyvenv.cfg"));
    }
}
