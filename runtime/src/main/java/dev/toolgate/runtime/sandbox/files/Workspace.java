package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.decision.PathResolver.ResolvedPath;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.InvalidPath;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folders tools may access: the project root, and optionally a central root. Relative paths are resolved against
 * the project root. Paths outside and dangerous files are refused.
 */
public final class Workspace {
    private static final Pattern DOTS = Pattern.compile("(^|[/\\\\])\\.\\.($|[/\\\\])");

    private final Platform platform;
    private final DangerousPaths dangerous;
    private final List<WorkspaceRoot> roots;

    /**
     * @param files creates the file access for a root
     * @throws IOException if a root does not exist
     */
    public Workspace(
            Path projectRoot,
            @Nullable Path centralRoot,
            Platform platform,
            DangerousPaths dangerous,
            Function<Path, RootedFiles> files)
            throws IOException {
        this.platform = platform;
        this.dangerous = dangerous;
        List<WorkspaceRoot> all = new ArrayList<>();
        all.add(WorkspaceRoot.of(projectRoot, files));
        if (centralRoot != null) {
            all.add(WorkspaceRoot.of(centralRoot, files));
        }
        this.roots = List.copyOf(all);
    }

    /** Opens a workspace on this machine; new files belong to the account of the project root. */
    public static Workspace open(
            Path projectRoot, @Nullable Path centralRoot, DangerousPaths dangerous, PendingWrites pending)
            throws IOException {
        Account account = WorkspaceAccount.of(projectRoot);
        return new Workspace(
                projectRoot,
                centralRoot,
                Platform.current(),
                dangerous,
                root -> RootedFiles.at(root, account, pending));
    }

    /** The project root, without links. */
    public Path projectRoot() {
        return roots.getFirst().real();
    }

    /** The platform whose paths and encodings apply here. */
    public Platform platform() {
        return platform;
    }

    /**
     * The absolute path with all links resolved.
     *
     * @throws ToolFailure if it is outside the roots or dangerous. To open a file use {@link #locate}, because a link
     *     may change after this check.
     */
    public Path validatePath(String path, Access access) throws ToolFailure {
        WorkspaceFile file = locate(path, access, Bounds.none());
        Path real = file.realPath();
        admit(real, path, access, new PathRules(Bounds.none()));
        return real;
    }

    /**
     * The file of a path, to be opened beneath its root within these bounds. Allowed and blocked paths of the bounds
     * are absolute or relative to the root: a plain path matches a file or a folder with everything in it, a glob what
     * it matches. Both the given and the real path are checked.
     */
    public WorkspaceFile locate(String path, Access access, Bounds bounds) throws ToolFailure {
        Path normal = normalize(path);
        WorkspaceRoot root = rootOf(normal, path);
        Path relative = root.relativize(normal);
        PathRules rules = new PathRules(bounds);
        check(root, relative, path, access, rules);
        return new WorkspaceFile(
                root, new Target(relative.toString(), path), real -> admit(real.get(), path, access, rules));
    }

    /** The given and the real location of a path, for {@link dev.toolgate.core.decision.PathResolver}. */
    public List<ResolvedPath> resolvedPaths(String path) {
        try {
            Path normal = normalize(path);
            WorkspaceRoot root = rootOf(normal, path);
            Path relative = root.relativize(normal);
            Path real = RealPath.of(root.real().resolve(relative));
            WorkspaceRoot realRoot = rootOf(real, path);
            return List.of(
                    new ResolvedPath(relative, root.names()),
                    new ResolvedPath(realRoot.relativize(real), realRoot.names()));
        } catch (ToolFailure | IOException leadsOutside) {
            return List.of();
        }
    }

    private void admit(Path real, String shown, Access access, PathRules rules) throws ToolFailure {
        WorkspaceRoot root = rootOf(real, shown);
        check(root, root.relativize(real), shown, access, rules);
    }

    private Path normalize(String path) throws ToolFailure {
        try {
            return Path.of(platform.normalize(path, roots.getFirst().given().toString()));
        } catch (InvalidPath invalid) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'path': " + invalid.reason());
        } catch (InvalidPathException invalid) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'path': " + invalid.getReason());
        }
    }

    private WorkspaceRoot rootOf(Path path, String shown) throws ToolFailure {
        return roots.stream().filter(root -> root.contains(path)).findFirst().orElseThrow(() -> outside(shown));
    }

    private void check(WorkspaceRoot root, Path relative, String shown, Access access, PathRules rules)
            throws ToolFailure {
        String pattern = dangerous.match(relative, access).orElse(null);
        if (pattern != null) {
            throw new ToolFailure(
                    ErrorCode.PERMISSION_DENIED,
                    "Refused: '" + shown + "' is a dangerous path (it matches '" + pattern + "')");
        }
        rules.check(relative, root.names(), shown);
    }

    private ToolFailure outside(String shown) {
        String why = DOTS.matcher(shown).find() ? " (path traversal)" : "";
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                "Refused: '" + shown + "' is outside the sandbox" + why + "; use a path within " + projectRoot());
    }
}
