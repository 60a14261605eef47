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
 * Searches a workspace recursively for files that commands must not see, using the dangerous paths of the file tools.
 * Skips installed packages: they are public and contain many files named like secrets.
 */
final class SecretSearch {
    static final int MAX_FOLDERS = 20_000;
    static final int MAX_SECRETS = 256;

    private static final int MAX_CONFIG_BYTES = 1 << 20;
    private static final String GIT = ".git";
    private static final Set<String> PACKAGES = Set.of("node_modules", "site-packages", "dist-packages");
    private static final Redactor REDACTOR = Redactor.standard();

    private final BindSource root;
    private final DangerousPaths dangerous;
    private final List<BindSource> secrets = new ArrayList<>();
    private final List<BindSource> readOnly = new ArrayList<>();
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

    /** Files and folders to mask, without those inside a masked folder. */
    List<BindSource> secrets() {
        Set<Path> paths = secrets.stream().map(BindSource::path).collect(Collectors.toSet());
        return secrets.stream()
                .filter(secret -> Stream.iterate(secret.path().getParent(), Objects::nonNull, Path::getParent)
                        .noneMatch(paths::contains))
                .distinct()
                .toList();
    }

    /** Files to mount read-only. */
    List<BindSource> readOnly() {
        return List.copyOf(readOnly);
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
            // A command could restore its permissions, so the whole folder counts as secret.
            secrets.add(folder);
        } catch (NoSuchFileException | NotDirectoryException gone) {
            // Its parent has changed as well, so a sandbox for this shape will not be reused.
        }
    }

    private void look(Path path) throws IOException {
        BindSource entry;
        try {
            entry = BindSource.look(path);
        } catch (NoSuchFileException gone) {
            return; // just renamed or removed by a file tool or another command
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
                    addLinkTarget(path);
                }
            }
            case OTHER -> {}
        }
    }

    // The target of a link named .env is a secret as well, regardless of its own name.
    private void addLinkTarget(Path path) throws IOException {
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
            // A command could restore the permissions of a folder in the workspace, but not outside.
            if (path.resolveSibling(Files.readSymbolicLink(path)).normalize().startsWith(root.path())) {
                throw new IOException(path + " leads through a folder without permissions", closed);
            }
        } catch (IOException leadsNowhere) {
            // The link is broken for a command too.
        }
    }

    // Python environments are sometimes named .env; commands need their programs.
    private static boolean isPythonEnvironment(BindSource folder) {
        return name(folder.path()).startsWith(".env")
                && Files.exists(folder.path().resolve("pyvenv.cfg"));
    }

    // A nested repository: its .git file must not be redirected, and its config may contain a token.
    private void nestedRepository(BindSource repository) throws IOException {
        if (Objects.equals(repository.path().getParent(), root.path())) {
            return; // the workspace's own repository
        }
        switch (repository.kind()) {
            case FILE -> readOnly.add(repository);
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
        for (int looked = 0; !modules.isEmpty() && looked < MAX_FOLDERS; looked++) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(modules.removeFirst())) {
                for (Path entry : entries) {
                    if (name(entry).equals("config")) {
                        settings(entry, readOnly);
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

    /** Masks a git config that contains a credential; otherwise git needs it. */
    private void settings(Path file, List<BindSource> otherwise) throws IOException {
        BindSource found;
        try {
            found = BindSource.look(file);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return;
        }
        if (found.kind() == BindSource.Kind.FILE) {
            boolean harmless = SmallFile.read(root.path(), root.path().relativize(file), MAX_CONFIG_BYTES)
                    .filter(text -> REDACTOR.clean(text).equals(text))
                    .isPresent();
            (harmless ? otherwise : secrets).add(found);
            seen.add(found); // a credential may be added later
        }
    }

    private void refuseTooMany() throws ToolFailure {
        if (seen.size() + open.size() > MAX_FOLDERS) {
            throw BindSource.refusal("No command can run in " + root.path() + " because it has more than "
                    + MAX_FOLDERS + " folders, too many to search for secrets; remove some or choose a smaller"
                    + " workspace");
        }
        if (secrets.size() + readOnly.size() > MAX_SECRETS) {
            throw BindSource.refusal("No command can run in " + root.path() + " because it has more than "
                    + MAX_SECRETS
                    + " dangerous paths such as .env, which are hidden from commands, among them "
                    + secrets.stream()
                            .limit(3)
                            .map(secret -> root.path().relativize(secret.path()).toString())
                            .collect(Collectors.joining(", "))
                    + "; remove those that are not needed, or change the setting sandbox.dangerous_paths");
        }
        for (BindSource secret : secrets) {
            if (!Path.of(secret.path().toString()).equals(secret.path())) {
                throw BindSource.refusal("No command can run in " + root.path() + " because the name of "
                        + secret.path() + " is not valid text, so it cannot be hidden from commands; rename it");
            }
        }
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }
}
