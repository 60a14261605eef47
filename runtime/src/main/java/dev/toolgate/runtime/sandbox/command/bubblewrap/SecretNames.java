package dev.toolgate.runtime.sandbox.command.bubblewrap;

import java.util.Set;

/** Names that hold credentials by convention; commands see them empty. */
final class SecretNames {
    private static final Set<String> FILES = Set.of(".netrc", ".pgpass", ".git-credentials");
    private static final Set<String> FOLDERS = Set.of(".ssh", ".aws", ".gnupg", ".kube", ".docker", ".toolgate");

    private SecretNames() {}

    static boolean isSecret(BindSource entry) {
        String name = entry.path().getFileName().toString();
        return switch (entry.kind()) {
            case FILE -> name.startsWith(".env") || FILES.contains(name);
            case FOLDER -> FOLDERS.contains(name);
            // A link is followed inside the sandbox, where what it points to is hidden or masked itself.
            case LINK, OTHER -> false;
        };
    }
}
