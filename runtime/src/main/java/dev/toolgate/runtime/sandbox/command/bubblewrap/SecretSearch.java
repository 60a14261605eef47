package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.SmallFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks through a workspace for what commands must not see, at any depth. The list of names is the one of the file
 * tools. Installed packages are not looked into: they are public, and full of files named like secrets.
 */
final class SecretSearch {
    static final int MOST_FOLDERS = 20_000;
    static final int MOST_SECRETS = 256;

    private static final int LARGEST_SETTINGS = 1 << 20;
    private static final String GIT = ".git";
    private static final Set<String> PACKAGES = Set.of("node_modules", "site-packages", "dist-packages");
    private static final Redactor REDACTOR = Redactor.standard();

    private final BindSource root;
    private final DangerousPaths dangerous;
    private final List<BindSource> secrets = new ArrayList<>();
    private final List<BindSource> settled = new ArrayList<>();
    private final List<BindSource> seen = new ArrayList<>();
    private final Deque<BindSource> open = new ArrayDeque<>();

    SecretSearch(BindSource root, DangerousPaths dangerous) {
        this.root = root;
        this.dangerous = dangerous;
    }

    void run() throws IOException, ToolFailure {
        open.add(root);
        while (!open.isEmpty()) {
            BindSource folder = open.removeFirst();
            seen.add(folder);
            look(folder);
            refuseTooMany();
        }
        ownRepository();
        refuseTooMany();
    }

    /** What is shown empty; nothing can be masked in a folder that is masked itself. */
    List<BindSource> secrets() {
        Set<Path> paths = secrets.stream().map(BindSource::path).collect(Collectors.toSet());
        return secrets.stream()
                .filter(secret -> Stream.iterate(secret.path().getParent(), Objects::nonNull, Path::getParent)
                        .noneMatch(paths::contains))
                .distinct()
                .toList();
    }

    /** What is shown read-only. */
    List<BindSource> settled() {
        return List.copyOf(settled);
    }

    List<BindSource> seen() {
        return List.copyOf(seen);
    }

    boolean isSecret(Path path) {
        return secrets.stream().anyMatch(secret -> secret.path().equals(path));
    }

    private void look(BindSource folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path())) {
            for (Path entry : entries) {
                look(entry);
            }
        } catch (AccessDeniedException closed) {
            if (folder.equals(root)) {
                throw closed;
            }
            // A command could open it again, so whatever is in it counts as secret.
            secrets.add(folder);
        } catch (NoSuchFileException | NotDirectoryException gone) {
            // Its parent has changed as well, so a sandbox made for this shape will not be used later on.
        }
    }

    private void look(Path path) throws IOException {
        BindSource entry;
        try {
            entry = BindSource.look(path);
        } catch (NoSuchFileException gone) {
            return; // a file tool or another command has just renamed or removed it
        }
        if (name(path).equals(GIT)) {
            nestedRepository(entry);
            return;
        }
        boolean listed = dangerous.matchesEntry(root.path().relativize(path));
        switch (entry.kind()) {
            case FILE -> {
                if (listed) {
                    secrets.add(entry);
                }
            }
            case FOLDER -> {
                if (listed && !isPythonEnvironment(entry)) {
                    secrets.add(entry);
                } else if (!PACKAGES.contains(name(path))) {
                    open.addLast(entry);
                }
            }
            case LINK -> {
                if (listed) {
                    behindLink(path);
                }
            }
            case OTHER -> {}
        }
    }

    // What a link named .env leads to is a secret as well, whatever its own name is.
    private void behindLink(Path path) throws IOException {
        try {
            Path real = path.toRealPath();
            if (real.startsWith(root.path()) && !root.path().startsWith(real)) {
                BindSource target = BindSource.look(real);
                if (target.kind() == BindSource.Kind.FILE
                        || (target.kind() == BindSource.Kind.FOLDER && !isPythonEnvironment(target))) {
                    secrets.add(target);
                    seen.add(BindSource.look(Objects.requireNonNull(real.getParent())));
                }
            }
        } catch (AccessDeniedException closed) {
            // A command could open a folder of the workspace again, but none outside.
            if (path.resolveSibling(Files.readSymbolicLink(path)).normalize().startsWith(root.path())) {
                throw new IOException(path + " leads through a closed folder", closed);
            }
        } catch (IOException leadsNowhere) {
            // A command that follows it finds nothing either.
        }
    }

    // Some people name these .env too; they hold programs that commands need.
    private static boolean isPythonEnvironment(BindSource folder) {
        return name(folder.path()).startsWith(".env")
                && Files.exists(folder.path().resolve("pyvenv.cfg"));
    }

    // A repository in a folder beneath: its pointer must not be turned elsewhere, and its settings may hold a token.
    private void nestedRepository(BindSource repository) throws IOException {
        if (Objects.equals(repository.path().getParent(), root.path())) {
            return; // the workspace's own
        }
        switch (repository.kind()) {
            case FILE -> settled.add(repository);
            case FOLDER -> settings(repository.path().resolve("config"), new ArrayList<>());
            case LINK, OTHER -> {}
        }
    }

    private void ownRepository() throws IOException {
        Path repository = root.path().resolve(GIT);
        if (!Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        for (String name : List.of("config", "config.worktree")) {
            settings(repository.resolve(name), new ArrayList<>());
        }
        Deque<Path> modules = new ArrayDeque<>(List.of(repository.resolve("modules")));
        for (int looked = 0; !modules.isEmpty() && looked < MOST_FOLDERS; looked++) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(modules.removeFirst())) {
                for (Path entry : entries) {
                    if (name(entry).equals("config")) {
                        settings(entry, settled);
                    } else if (!Set.of("objects", "refs", "logs", "hooks").contains(name(entry))
                            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        modules.addLast(entry);
                    }
                }
            } catch (NoSuchFileException | NotDirectoryException none) {
                // There are no submodules.
            }
        }
    }

    /** Settings of git are hidden if there is a credential in them; otherwise git needs them. */
    private void settings(Path file, List<BindSource> otherwise) throws IOException {
        BindSource found;
        try {
            found = BindSource.look(file);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return;
        }
        if (found.kind() == BindSource.Kind.FILE) {
            boolean harmless = SmallFile.read(root.path(), root.path().relativize(file), LARGEST_SETTINGS)
                    .filter(text -> REDACTOR.clean(text).equals(text))
                    .isPresent();
            (harmless ? otherwise : secrets).add(found);
            seen.add(found); // a credential may be put into it later
        }
    }

    private void refuseTooMany() throws ToolFailure {
        if (seen.size() + open.size() > MOST_FOLDERS) {
            throw BindSource.refusal("No command can run in " + root.path() + " because it has more than "
                    + MOST_FOLDERS + " folders, too many to look for secrets in; remove some or choose a smaller"
                    + " workspace");
        }
        if (secrets.size() + settled.size() > MOST_SECRETS) {
            throw BindSource.refusal("No command can run in " + root.path() + " because it has more than "
                    + MOST_SECRETS
                    + " files named like .env or another dangerous path, which are kept from commands, among them "
                    + secrets.stream()
                            .limit(3)
                            .map(secret -> root.path().relativize(secret.path()).toString())
                            .collect(Collectors.joining(", "))
                    + "; remove those that are not needed, or change the setting sandbox.dangerous_paths");
        }
        for (BindSource secret : secrets) {
            if (!Path.of(secret.path().toString()).equals(secret.path())) {
                throw BindSource.refusal("No command can run in " + root.path() + " because the name of "
                        + secret.path() + " is not valid text, so it cannot be kept from commands; rename it");
            }
        }
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }
}
