package dev.toolgate.runtime.tools.file;

import java.util.List;

/**
 * The files changed by one session.
 *
 * @param notShown the number of changes beyond the recorded files
 */
public record SessionChanges(List<ChangedFile> files, long notShown) {
    static final SessionChanges NONE = new SessionChanges(List.of(), 0);

    public SessionChanges {
        files = List.copyOf(files);
    }

    /** How a file changed. */
    public enum ChangeKind {
        ADDED,
        MODIFIED,
        DELETED;

        static ChangeKind of(Snapshot before, Snapshot now) {
            if (before instanceof Snapshot.Absent) {
                return ADDED;
            }
            return now instanceof Snapshot.Absent ? DELETED : MODIFIED;
        }
    }

    /**
     * One changed file.
     *
     * @param path relative to the root of its workspace
     * @param diff a unified diff, or a description where no diff is possible
     */
    public record ChangedFile(String path, ChangeKind kind, String diff) {}
}
