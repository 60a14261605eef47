package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A path that is textually inside the workspace. Its real location is checked on access. */
public final class WorkspaceFile {
    private final WorkspaceRoot root;
    private final Target target;
    private final FileGuard guard;

    WorkspaceFile(WorkspaceRoot root, Target target, FileGuard guard) {
        this.root = root;
        this.target = target;
        this.guard = guard;
    }

    /** The path relative to its root. */
    public String relative() {
        return target.relative();
    }

    /** The absolute path, without resolving links. */
    public Path path() {
        return root.real().resolve(target.relative());
    }

    /** See {@link RootedFiles#open}. */
    public OpenFile open() throws ToolFailure {
        return root.files().open(target, guard);
    }

    /** See {@link RootedFiles#write}. */
    public void write(byte[] content, Parents parents) throws ToolFailure, InterruptedException {
        root.files().write(target, content, parents, guard);
    }

    /** See {@link RootedFiles#delete}. */
    public void delete() throws ToolFailure {
        root.files().delete(target, guard);
    }

    /** See {@link RootedFiles#swap}. */
    public boolean swap(FileSwap swap) throws ToolFailure, InterruptedException {
        return root.files().swap(target, swap, guard);
    }

    /** The path relative to its root with all links resolved; it may have changed by the time it is used. */
    public String place() throws ToolFailure {
        return root.real().relativize(realPath()).toString();
    }

    /** See {@link RootedFiles#list}. */
    public Listing list(int limit) throws ToolFailure, InterruptedException {
        return root.files().list(target, limit, guard);
    }

    /** The path with all links of its existing part resolved. */
    Path realPath() throws ToolFailure {
        try {
            return RealPath.of(path());
        } catch (NoSuchFileException dangling) {
            throw FileFailures.danglingLink(target.shown());
        } catch (IOException trouble) {
            throw FileFailures.of(trouble, target.shown());
        }
    }
}
