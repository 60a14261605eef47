package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A path that lies in the workspace by its text. Where it really leads is checked when it is used. */
public final class WorkspaceFile {
    private final WorkspaceRoot root;
    private final Target target;
    private final FileGuard gate;

    WorkspaceFile(WorkspaceRoot root, Target target, FileGuard gate) {
        this.root = root;
        this.target = target;
        this.gate = gate;
    }

    /** The path from its root, for diffs. */
    public String relative() {
        return target.relative();
    }

    /** The absolute path, links not resolved. */
    public Path path() {
        return root.real().resolve(target.relative());
    }

    /** See {@link Beneath#open}. */
    public OpenFile open() throws ToolFailure {
        return root.files().open(target, gate);
    }

    /** See {@link Beneath#write}. */
    public void write(byte[] content, Parents parents) throws ToolFailure, InterruptedException {
        root.files().write(target, content, parents, gate);
    }

    /** See {@link Beneath#delete}. */
    public void delete() throws ToolFailure {
        root.files().delete(target, gate);
    }

    /** See {@link Beneath#list}. */
    public Listing list(int limit) throws ToolFailure, InterruptedException {
        return root.files().list(target, limit, gate);
    }

    /** The path with every link resolved as far as it exists. */
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
