package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
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
 * What a sandbox has to treat specially in a workspace, as it was when it was looked at. It is only
 * reliable while no command runs in the workspace.
 *
 * @param root the workspace itself
 * @param secrets files and folders that are shown empty; three levels deep
 * @param git the repository and those of its parts that a later git outside would obey
 * @param seen every folder whose names were looked at
 */
record WorkspaceShape(BindSource root, List<BindSource> secrets, List<BindSource> git, List<BindSource> seen) {
    private static final int LEVELS = 3;
    private static final int MOST_FOLDERS = 20_000;
    private static final int MOST_SECRETS = 256;
    private static final Set<String> NOT_ENTERED = Set.of(".git", "node_modules");
    private static final String GIT_REDIRECTION = "commondir";
    private static final Set<Path> SYSTEM = Set.of(
            Path.of("/usr"), Path.of("/etc"), Path.of("/proc"), Path.of("/sys"), Path.of("/dev"), Path.of("/boot"));
    private static final Set<Path> TOO_WIDE =
            Set.of(Path.of("/"), Path.of("/home"), Path.of("/var"), Path.of("/run"), Path.of("/tmp"), Path.of("/opt"));

    static WorkspaceShape of(Path workspace) throws ToolFailure {
        BindSource root = BindSource.withoutLinks(workspace);
        if (root.kind() != BindSource.Kind.FOLDER) {
            throw BindSource.refusal("No command can run in " + workspace + " because it is not a folder");
        }
        if (TOO_WIDE.contains(workspace) || SYSTEM.stream().anyMatch(workspace::startsWith)) {
            throw BindSource.refusal("No command can run in " + workspace
                    + " because it belongs to the system; choose a folder of its own as workspace");
        }
        try {
            List<BindSource> secrets = new ArrayList<>();
            List<BindSource> seen = new ArrayList<>();
            Deque<BindSource> open = new ArrayDeque<>(List.of(root));
            while (!open.isEmpty()) {
                BindSource folder = open.removeFirst();
                seen.add(folder);
                look(folder, workspace, secrets, open, seen);
                refuseTooManyFolders(workspace, seen.size() + open.size());
                refuseTooManySecrets(workspace, secrets);
            }
            return new WorkspaceShape(root, outermost(secrets), git(workspace.resolve(".git")), List.copyOf(seen));
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw BindSource.refusal("No command can run in " + workspace
                    + " because it changed or could not be read while it was looked at (" + unreadable.getMessage()
                    + "); check its permissions and try again");
        }
    }

    Path path() {
        return root.path();
    }

    boolean hasGitPart(String name) {
        return git.stream().anyMatch(part -> name(part.path()).equals(name));
    }

    /** Whether a sandbox made for this shape is still right for the workspace. */
    boolean stillHolds() {
        return seen.stream().allMatch(BindSource::isUntouched) && git.stream().allMatch(BindSource::isUntouched);
    }

    /**
     * Removes what a command may have put into the repository to have git obey settings elsewhere. It
     * cannot be masked, because its mere presence would break git; and only linked working trees, whose
     * .git is no folder, have it by right.
     */
    void removeGitRedirection() throws IOException {
        // A repository that was there is a mount of its own, so no command has put a link in its place.
        if (!git.isEmpty() && git.getFirst().kind() == BindSource.Kind.FOLDER) {
            Files.deleteIfExists(git.getFirst().path().resolve(GIT_REDIRECTION));
        }
    }

    private static void look(
            BindSource folder, Path root, List<BindSource> secrets, Deque<BindSource> open, List<BindSource> seen)
            throws IOException {
        boolean enter = folder.path().getNameCount() - root.getNameCount() < LEVELS - 1;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path())) {
            for (Path path : entries) {
                // On the last level only names with a dot can matter; the others are not worth a look each.
                if (enter || name(path).startsWith(".")) {
                    look(path, enter ? open : new ArrayDeque<>(), secrets);
                    lookBehindLink(path, root, secrets, seen);
                }
            }
        } catch (AccessDeniedException closed) {
            if (folder.path().equals(root)) {
                throw closed;
            }
            // A command could open it again, so whatever is in it counts as secret.
            secrets.add(folder);
        } catch (NoSuchFileException | NotDirectoryException gone) {
            // Its parent has changed as well, so a sandbox made for this shape will not be used later on.
        }
    }

    private static void look(Path path, Deque<BindSource> open, List<BindSource> secrets) throws IOException {
        try {
            BindSource entry = BindSource.look(path);
            if (SecretNames.isSecret(name(path), entry)) {
                secrets.add(entry);
            } else if (entry.kind() == BindSource.Kind.FOLDER && !NOT_ENTERED.contains(name(path))) {
                open.addLast(entry);
            }
        } catch (NoSuchFileException gone) {
            // A file tool has just renamed or removed it.
        }
    }

    // What a link named .env leads to is a secret as well, whatever its own name is.
    private static void lookBehindLink(Path path, Path root, List<BindSource> secrets, List<BindSource> seen)
            throws IOException {
        if (!name(path).startsWith(".") || !Files.isSymbolicLink(path)) {
            return;
        }
        try {
            Path real = path.toRealPath();
            if (real.startsWith(root) && !root.startsWith(real)) {
                BindSource target = BindSource.look(real);
                if (SecretNames.isSecret(name(path), target)) {
                    secrets.add(target);
                    seen.add(BindSource.look(Objects.requireNonNull(real.getParent())));
                }
            }
        } catch (AccessDeniedException closed) {
            // A command could open a folder of the workspace again, but none outside.
            if (path.resolveSibling(Files.readSymbolicLink(path)).normalize().startsWith(root)) {
                throw new IOException(path + " leads through a closed folder", closed);
            }
        } catch (IOException leadsNowhere) {
            // A command that follows it finds nothing either.
        }
    }

    // Nothing can be masked in a folder that is masked itself.
    private static List<BindSource> outermost(List<BindSource> secrets) {
        Set<Path> paths = secrets.stream().map(BindSource::path).collect(Collectors.toSet());
        return secrets.stream()
                .filter(secret -> Stream.iterate(secret.path().getParent(), Objects::nonNull, Path::getParent)
                        .noneMatch(paths::contains))
                .distinct()
                .toList();
    }

    private static void refuseTooManyFolders(Path workspace, int folders) throws ToolFailure {
        if (folders > MOST_FOLDERS) {
            throw BindSource.refusal("No command can run in " + workspace + " because it has more than " + MOST_FOLDERS
                    + " folders in its upper levels, too many to look for secrets in; remove some or choose a smaller"
                    + " workspace");
        }
    }

    private static void refuseTooManySecrets(Path workspace, List<BindSource> secrets) throws ToolFailure {
        if (secrets.size() > MOST_SECRETS) {
            throw BindSource.refusal("No command can run in " + workspace + " because it has more than " + MOST_SECRETS
                    + " files named like .env, which are kept from commands; remove those that are not needed");
        }
        for (BindSource secret : secrets) {
            if (!Path.of(secret.path().toString()).equals(secret.path())) {
                throw BindSource.refusal("No command can run in " + workspace + " because the name of " + secret.path()
                        + " is not valid text, so it cannot be kept from commands; rename it");
            }
        }
    }

    private static List<BindSource> git(Path repository) throws IOException, ToolFailure {
        if (!Files.exists(repository, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        List<BindSource> parts = new ArrayList<>(List.of(BindSource.withoutLinks(repository)));
        if (parts.getFirst().kind() == BindSource.Kind.FOLDER) {
            if (Files.exists(repository.resolve(GIT_REDIRECTION), LinkOption.NOFOLLOW_LINKS)) {
                throw BindSource.refusal("No command can run here because " + repository.resolve(GIT_REDIRECTION)
                        + " makes git obey the settings of another folder; remove it unless you put it there");
            }
            for (String name : List.of("hooks", "config", "config.worktree")) {
                if (Files.exists(repository.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                    parts.add(BindSource.withoutLinks(repository.resolve(name)));
                }
            }
        }
        return List.copyOf(parts);
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }
}
