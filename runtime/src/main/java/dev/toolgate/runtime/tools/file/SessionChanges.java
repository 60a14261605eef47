package dev.toolgate.runtime.tools.file;

import java.util.List;

/**
 * The files that one session has changed.
 *
 * @param notShown how many more changes there were after the number of files that is kept
 */
public record SessionChanges(List<ChangedFile> files, long notShown) {
    static final SessionChanges NONE = new SessionChanges(List.of(), 0);

    public SessionChanges {
        files = List.copyOf(files);
    }

    /** What became of a file. */
    public enum How {
        ADDED,
        MODIFIED,
        DELETED;

        static How of(Snapshot before, Snapshot now) {
            if (before instanceof Snapshot.Absent) {
                return ADDED;
            }
            return now instanceof Snapshot.Absent ? DELETED : MODIFIED;
        }
    }

    /**
     * One file.
     *
     * @param path from the root of its workspace
     * @param diff a unified diff, or a sentence where there is none
     */
    public record ChangedFile(String path, How how, String diff) {}
}
