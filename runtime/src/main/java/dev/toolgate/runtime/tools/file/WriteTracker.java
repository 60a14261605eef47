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
 * Remembers, session by session, which files were written or deleted and what they held before, so
 * that one patch can show everything a session has changed. Bounded: the least recently used
 * sessions of a tenant are forgotten, and of very many or very large files only the names are kept.
 */
public final class WriteTracker {
    private static final int MOST_SESSIONS = 200;
    private static final int MOST_FILES = 2000;
    private static final long MOST_BYTES = 8 << 20;

    // Each tenant has room of its own, so that none makes another's sessions be forgotten.
    private final Map<TenantId, Map<@Nullable SessionId, Changes>> tenants = new HashMap<>();

    private record Change(WorkspaceFile file, Snapshot before) {}

    private static final class Changes {
        private final Map<Path, Change> files = new LinkedHashMap<>();
        private long bytes;
        private long forgotten;
    }

    /** Notes that a file has been changed; what it held before its first change counts. */
    synchronized void changed(Caller caller, WorkspaceFile file, Snapshot before) {
        Map<@Nullable SessionId, Changes> sessions =
                tenants.computeIfAbsent(caller.tenant(), _ -> new LinkedHashMap<>(16, 0.75f, true));
        Changes changes = sessions.computeIfAbsent(caller.session(), _ -> new Changes());
        if (sessions.size() > MOST_SESSIONS) {
            sessions.remove(sessions.keySet().iterator().next());
        }
        if (changes.files.containsKey(file.path())) {
            return;
        }
        if (changes.files.size() >= MOST_FILES) {
            changes.forgotten++;
            return;
        }
        changes.files.put(file.path(), new Change(file, affordable(changes, before)));
    }

    private static Snapshot affordable(Changes changes, Snapshot before) {
        if (!(before instanceof Held held)) {
            return before;
        }
        if (changes.bytes + held.bytes().length > MOST_BYTES) {
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

    /** What a session has changed, from before its first change to now; files that are as they were are left out. */
    public SessionChanges changes(TenantId tenant, @Nullable SessionId session) throws InterruptedException {
        List<Change> noted;
        long forgotten;
        synchronized (this) {
            Changes found = find(tenant, session);
            if (found == null) {
                return SessionChanges.NONE;
            }
            noted = List.copyOf(found.files.values());
            forgotten = found.forgotten;
        }
        List<SessionChanges.ChangedFile> files = new ArrayList<>();
        for (Change change : noted) {
            Snapshot now = Snapshot.of(change.file());
            String diff = UnifiedDiff.between(change.file().relative(), change.before(), now);
            if (!diff.isEmpty()) {
                files.add(new SessionChanges.ChangedFile(
                        change.file().relative(), SessionChanges.How.of(change.before(), now), diff));
            }
        }
        return new SessionChanges(files, forgotten);
    }

    /** One unified diff from before the session to now; empty if nothing has changed. */
    public String patch(TenantId tenant, @Nullable SessionId session) throws InterruptedException {
        SessionChanges changes = changes(tenant, session);
        StringBuilder patch = new StringBuilder();
        changes.files().forEach(file -> patch.append(file.diff()));
        return changes.notShown() == 0
                ? patch.toString()
                : patch + "Changes after the first " + MOST_FILES + " files are not shown: " + changes.notShown()
                        + "\n";
    }

    /** Forgets a session that has ended. */
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
