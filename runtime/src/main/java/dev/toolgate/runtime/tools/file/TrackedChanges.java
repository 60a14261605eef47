package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.undo.KeptChange;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.core.undo.Subject;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Changes files for tools, one change of a file at a time. Each change is recorded, so that it can be undone, and
 * tracked.
 */
record TrackedChanges(WorkspaceLease workspace, FileChanges rules) implements AutoCloseable {
    private static final ReentrantLock[] LOCKS =
            IntStream.range(0, 64).mapToObj(_ -> new ReentrantLock()).toArray(ReentrantLock[]::new);

    /** A change to a file. */
    interface Change {
        void make(WorkspaceFile file) throws ToolFailure, InterruptedException;
    }

    /** The file of a path; fails if the call may not change it. */
    WorkspaceFile locate(String path, ToolContext context) throws ToolFailure, InterruptedException {
        return workspace.files().locate(path, Access.WRITE, context.bounds());
    }

    /**
     * Makes the change; returns the previous content.
     *
     * @param tool the canonical name of the tool
     * @param path the file as the call names it
     * @param after the content after the change
     */
    Snapshot make(String tool, String path, WorkspaceFile file, Snapshot after, Change change, ToolContext context)
            throws ToolFailure, InterruptedException {
        ReentrantLock lock = LOCKS[Math.floorMod(file.path().hashCode(), LOCKS.length)];
        lock.lockInterruptibly();
        try {
            Snapshot before = Snapshot.of(file);
            KeptChanges.Entry entry = keep(tool, path, file, before, after, context);
            try {
                change.make(file);
            } catch (ToolFailure | InterruptedException | RuntimeException failed) {
                entry.discard();
                throw failed;
            }
            rules.tracker().changed(context.call().caller(), file, before);
            return before;
        } finally {
            lock.unlock();
        }
    }

    private KeptChanges.Entry keep(
            String tool, String path, WorkspaceFile file, Snapshot before, Snapshot after, ToolContext context)
            throws InterruptedException {
        if (!rules.kept().isEnabled()) {
            return KeptChanges.Entry.NOTHING;
        }
        try {
            WorkspaceFile _ = workspace.files().locate(path, Access.READ, context.bounds());
            KeptChange change = new KeptChange(tool, Subject.FILE, path, file.place(), states(before, after));
            return rules.kept().keep(context.call(), change);
        } catch (ToolFailure unreadable) {
            return KeptChanges.Entry.NOTHING; // the change fails as well, or the caller may not read the content
        }
    }

    private static KeptChange.States states(Snapshot before, Snapshot after) {
        if (before instanceof Snapshot.NotHeld(String why)) {
            return tooLarge("before", why);
        }
        if (after instanceof Snapshot.NotHeld(String why)) {
            return tooLarge("after", why);
        }
        return new KeptChange.Kept(state(before), state(after));
    }

    private static KeptChange.States tooLarge(String when, String why) {
        return new KeptChange.NotKept("The file was too large or unreadable " + when + " the call (" + why
                + "); content is kept up to " + KeptChanges.MAX_BYTES + " bytes");
    }

    static KeptState state(Snapshot snapshot) {
        return snapshot instanceof Snapshot.Held(byte[] bytes, int permissions)
                ? new KeptState.Present(bytes, permissions)
                : new KeptState.Absent();
    }

    @Override
    public void close() {
        workspace.close();
    }
}
