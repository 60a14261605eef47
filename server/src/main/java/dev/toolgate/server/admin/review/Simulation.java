package dev.toolgate.server.admin.review;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.Rule;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.store.audit.query.RecordedCalls;
import dev.toolgate.store.grant.DraftScope;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.PermissionSnapshot;
import dev.toolgate.store.grant.PermissionSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Replays recorded calls under the current permissions and under a draft of them, and compares the decisions. */
public final class Simulation {
    static final int MAX_CALLS = 20_000;
    private static final long MAX_CHARACTERS = 32L << 20;
    private static final Duration MAX_READING = Duration.ofSeconds(10);
    private static final Duration MAX_REPLAYING = Duration.ofSeconds(10);
    private static final int STEP = 500;

    private final PermissionSnapshots snapshots;
    private final RecordedCalls records;
    private final Policies sessions;
    private final ToolCatalog catalog;
    private final Function<GrantRule, List<Rule>> rules;

    /**
     * @param rules the gate's rules, with other grants
     */
    public Simulation(
            PermissionSnapshots snapshots,
            RecordedCalls records,
            Policies sessions,
            ToolCatalog catalog,
            Function<GrantRule, List<Rule>> rules) {
        this.snapshots = snapshots;
        this.records = records;
        this.sessions = sessions;
        this.catalog = catalog;
        this.rules = rules;
    }

    /** Is notified of the progress of a simulation. */
    interface Progress {
        void replayed(int calls, int of) throws IOException;
    }

    /**
     * A draft and the calls it is tried on.
     *
     * @param since earlier calls are not replayed
     * @param examples how many examples of each kind are wanted
     */
    record Trial(TenantId tenant, List<Edit> draft, Instant since, int examples, Instant now) {}

    /** Replays; changes nothing. */
    SimulationAnswer run(Trial trial, Progress progress) throws IOException {
        DraftScope scope = snapshots.scope(trial.tenant(), trial.draft());
        PermissionSnapshot current = snapshots.of(trial.tenant(), scope.agents());
        RecordedCalls.Found found = scope.isEmpty()
                ? new RecordedCalls.Found(List.of(), RecordedCalls.Cut.NONE)
                : records.newest(
                        new RecordedCalls.Selection(trial.tenant(), scope.agents(), scope.tools(), trial.since()),
                        new RecordedCalls.Limits(MAX_CALLS, MAX_CHARACTERS, MAX_READING));
        List<RecordedCalls.Recorded> calls = found.calls().reversed().stream()
                .filter(call -> scope.covers(call.agentId(), call.toolName()))
                .toList();
        Replay before = new Replay(current, trial.now(), rules);
        Replay after = new Replay(snapshots.draft(current, trial.draft()), trial.now(), rules);
        Comparison comparison = new Comparison(trial.examples());
        Map<String, Optional<Session>> known = new HashMap<>();
        long deadline = System.nanoTime() + MAX_REPLAYING.toNanos();
        int replayed = 0;
        for (RecordedCalls.Recorded call : calls) {
            if (replayed % STEP == 0) {
                if (System.nanoTime() - deadline > 0) {
                    break;
                }
                progress.replayed(replayed, calls.size());
            }
            replay(trial, call, before, after, known, comparison);
            replayed++;
        }
        progress.replayed(replayed, calls.size());
        return SimulationAnswer.of(current.version(), trial, found, calls, replayed, comparison);
    }

    private void replay(
            Trial trial,
            RecordedCalls.Recorded recorded,
            Replay before,
            Replay after,
            Map<String, Optional<Session>> known,
            Comparison comparison) {
        Optional<Tool<?>> tool =
                catalog.find(trial.tenant(), recorded.toolName()).flatMap(found -> form(found, recorded));
        if (tool.isEmpty()) {
            comparison.withoutTool();
            return;
        }
        Optional<Session> session = recorded.sessionId() == null
                ? Optional.empty()
                : known.computeIfAbsent(recorded.sessionId(), id -> sessions.find(trial.tenant(), new SessionId(id)));
        if (recorded.sessionId() != null && session.isEmpty()) {
            comparison.unknown(recorded);
            return;
        }
        ToolSpec<?> spec = tool.get().spec();
        MaskedArguments arguments = MaskedArguments.of(recorded);
        Call call = Call.of(recorded.caller(trial.tenant()), spec.name(), arguments.asRecorded())
                .purpose(recorded.operation(), recorded.projectId())
                .from(recorded.undoes() == null ? CallContext.NONE : CallContext.NONE.undoing(recorded.undoes()));
        Replay.Approved approved = recorded.approvedBy() != null && recorded.status() != AuditLog.Status.REFUSED
                ? Replay.Approved.YES
                : Replay.Approved.NO;
        Optional<Decision> was = before.next(
                call,
                arguments,
                recorded.timestamp(),
                approved,
                spec,
                session.map(Session::bundle).orElse(null));
        Optional<Decision> is = after.next(
                call,
                arguments,
                recorded.timestamp(),
                approved,
                spec,
                session.map(Session::bundle).orElse(null));
        if (was.isEmpty() || is.isEmpty()) {
            comparison.unknown(recorded);
        } else {
            comparison.add(recorded, was.get(), is.get());
        }
    }

    /** The tool's undo, if the call undid another; its arguments differ from those of the tool. */
    private static Optional<Tool<?>> form(Tool<?> tool, RecordedCalls.Recorded recorded) {
        return recorded.undoes() == null ? Optional.of(tool) : tool.undo();
    }
}
