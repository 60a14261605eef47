package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of a workspace that need special mounts, as found by one scan.
 *
 * @param root the workspace itself
 * @param secrets files and folders to mask
 * @param readOnly files to mount read-only, because a later git outside the sandbox would use their settings
 * @param git the repository, and its hooks and settings that a later git outside the sandbox would use
 * @param seen everything that was scanned and must be unchanged for the scan to be valid
 */
record WorkspaceShape(
        BindSource root,
        List<BindSource> secrets,
        List<BindSource> readOnly,
        List<BindSource> git,
        List<BindSource> seen) {
    private static final int MAX_ATTEMPTS = 3;
    private static final String GIT_REDIRECTION = "commondir";
    private static final Set<Path> SYSTEM = Set.of(
            Path.of("/usr"), Path.of("/etc"), Path.of("/proc"), Path.of("/sys"), Path.of("/dev"), Path.of("/boot"));
    private static final Set<Path> TOO_WIDE =
            Set.of(Path.of("/"), Path.of("/home"), Path.of("/var"), Path.of("/run"), Path.of("/tmp"), Path.of("/opt"));

    /**
     * Scans a workspace.
     *
     * @param dangerous the paths to hide from commands
     */
    static WorkspaceShape of(Path workspace, DangerousPaths dangerous) throws ToolFailure {
        BindSource root = BindSource.withoutLinks(workspace);
        if (root.kind() != BindSource.Kind.FOLDER) {
            throw BindSource.refusal("No command can run in " + workspace + " because it is not a folder; choose"
                    + " an existing folder as workspace");
        }
        if (TOO_WIDE.contains(workspace) || SYSTEM.stream().anyMatch(workspace::startsWith)) {
            throw BindSource.refusal("No command can run in " + workspace
                    + " because it is a system folder; choose another folder as workspace");
        }
        for (int attempt = 1; ; attempt++) {
            try {
                SecretSearch search = new SecretSearch(root, dangerous);
                search.run();
                return new WorkspaceShape(
                        root,
                        search.secrets(),
                        search.readOnly(),
                        git(workspace.resolve(".git"), search),
                        search.seen());
            } catch (IOException | DirectoryIteratorException unreadable) {
                // Another command may be changing it.
                if (attempt == MAX_ATTEMPTS) {
                    throw BindSource.refusal("No command can run in " + workspace
                            + " because it changed or could not be read while it was scanned ("
                            + unreadable.getMessage() + "); check its permissions and try again");
                }
            }
        }
    }

    Path path() {
        return root.path();
    }

    boolean hasGitPart(String name) {
        return git.stream()
                .anyMatch(part -> part.path().equals(path().resolve(".git").resolve(name)));
    }

    /** Whether a sandbox for this shape still fits the workspace. */
    boolean isUnchanged() {
        return seen.stream().allMatch(BindSource::isUnchanged) && git.stream().allMatch(BindSource::isUnchanged);
    }

    /**
     * Removes the commondir file, with which a command could make git use the settings of another folder. It cannot be
     * masked, because its presence alone would break git; only linked working trees, whose .git is not a folder, have
     * it legitimately. Follows no links, because another command may be running.
     */
    void removeGitRedirection() throws IOException {
        if (git.isEmpty() || git.getFirst().kind() != BindSource.Kind.FOLDER) {
            return;
        }
        Path name = Path.of(".git");
        Path redirection = Path.of(GIT_REDIRECTION);
        try (DirectoryStream<Path> workspace = Files.newDirectoryStream(path())) {
            if (workspace instanceof SecureDirectoryStream<Path> secure
                    && Files.exists(path().resolve(name).resolve(redirection), LinkOption.NOFOLLOW_LINKS)) {
                try (SecureDirectoryStream<Path> repository =
                        secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    repository.deleteFile(redirection);
                }
            }
        }
    }

    private static List<BindSource> git(Path repository, SecretSearch search) throws IOException, ToolFailure {
        if (!Files.exists(repository, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        BindSource itself = BindSource.withoutLinks(repository);
        if (itself.kind() != BindSource.Kind.FOLDER) {
            return List.of(itself);
        }
        if (Files.exists(repository.resolve(GIT_REDIRECTION), LinkOption.NOFOLLOW_LINKS)) {
            throw BindSource.refusal("No command can run here because " + repository.resolve(GIT_REDIRECTION)
                    + " makes git obey the settings of another folder; remove it unless you put it there");
        }
        List<BindSource> parts = new ArrayList<>(List.of(itself));
        for (String name : List.of("hooks", "config", "config.worktree")) {
            Path part = repository.resolve(name);
            if (Files.exists(part, LinkOption.NOFOLLOW_LINKS) && !search.isSecret(part)) {
                parts.add(BindSource.withoutLinks(part));
            }
        }
        return List.copyOf(parts);
    }
}
