package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.tools.file.Snapshot.Held;
import dev.toolgate.runtime.tools.file.Snapshot.NotHeld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records per session which files were written or deleted, with their previous content, so that one patch can show all
 * changes of a session. Bounded: the least recently used sessions of a tenant are dropped, content is dropped if it is
 * too large, and files beyond the maximum are only counted.
 */
public final class WriteTracker {
    private static final int MAX_SESSIONS = 200;
    private static final int MAX_FILES = 2000;
    private static final long MAX_BYTES = 8 << 20;

    // Bounded per tenant, so that one tenant cannot evict the sessions of another.
    private final Map<TenantId, Map<@Nullable SessionId, Changes>> tenants = new HashMap<>();

    private record Change(WorkspaceFile file, Snapshot before) {}

    private static final class Changes {
        private final Map<Path, Change> files = new LinkedHashMap<>();
        private long bytes;
        private long dropped;
    }

    /** Records a change of a file; only the content before the first change is kept. */
    synchronized void changed(Caller caller, WorkspaceFile file, Snapshot before) {
        Map<@Nullable SessionId, Changes> sessions =
                tenants.computeIfAbsent(caller.tenant(), _ -> new LinkedHashMap<>(16, 0.75f, true));
        Changes changes = sessions.computeIfAbsent(caller.session(), _ -> new Changes());
        if (sessions.size() > MAX_SESSIONS) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        if (changes.files.containsKey(file.path())) {
            return;
        }
        if (changes.files.size() >= MAX_FILES) {
            changes.dropped++;
            return;
        }
        changes.files.put(file.path(), new Change(file, withinBudget(changes, before)));
    }

    private static Snapshot withinBudget(Changes changes, Snapshot before) {
        if (!(before instanceof Held held)) {
            return before;
        }
        if (changes.bytes + held.bytes().length > MAX_BYTES) {
            return new NotHeld(held.bytes().length + " bytes");
        }
        changes.bytes += held.bytes().length;
        return before;
    }

    /** The files a session has changed, in the order of their first change. */
    public synchronized List<Path> files(TenantId tenant, @Nullable SessionId session) {
        Changes changes = find(tenant, session);
        return changes == null ? List.of() : List.copyOf(changes.files.keySet());
    }

    /**
     * The changes of a session since before its first change, without files whose content was restored.
     */
    public SessionChanges changes(TenantId tenant, @Nullable SessionId session) throws InterruptedException {
        List<Change> recorded;
        long dropped;
        synchronized (this) {
            Changes found = find(tenant, session);
            if (found == null) {
                return SessionChanges.NONE;
            }
            recorded = List.copyOf(found.files.values());
            dropped = found.dropped;
        }
        List<SessionChanges.ChangedFile> files = new ArrayList<>();
        for (Change change : recorded) {
            Snapshot now = Snapshot.of(change.file());
            String diff = UnifiedDiff.between(change.file().relative(), change.before(), now);
            if (!diff.isEmpty()) {
                files.add(new SessionChanges.ChangedFile(
                        change.file().relative(), SessionChanges.ChangeKind.of(change.before(), now), diff));
            }
        }
        return new SessionChanges(files, dropped);
    }

    /** The changes of a session as one unified diff; empty if there are none. */
    public String patch(TenantId tenant, @Nullable SessionId session) throws InterruptedException {
        SessionChanges changes = changes(tenant, session);
        StringBuilder patch = new StringBuilder();
        changes.files().forEach(file -> patch.append(file.diff()));
        return changes.notShown() == 0
                ? patch.toString()
                : patch + "Changes after the first " + MAX_FILES + " files are not shown: " + changes.notShown() + "\n";
    }

    /** Drops the records of an ended session. */
    public synchronized void forget(TenantId tenant, @Nullable SessionId session) {
        Map<@Nullable SessionId, Changes> sessions = tenants.get(tenant);
        if (sessions != null) {
            sessions.remove(session);
        }
    }

    private @Nullable Changes find(TenantId tenant, @Nullable SessionId session) {
        Map<@Nullable SessionId, Changes> sessions = tenants.get(tenant);
        return sessions == null ? null : sessions.get(session);
    }
}
