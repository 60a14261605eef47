package dev.toolgate.server.undo;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.undo.KeptChange;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.core.undo.Subject;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.directory.Agents;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the stored state before and after the change of an audit record. */
public final class RecordedChanges {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedChanges.class);

    private final KeptChanges kept;
    private final Agents agents;

    public RecordedChanges(KeptChanges kept, Agents agents) {
        this.kept = kept;
        this.agents = agents;
    }

    /** Whether a change can be undone. */
    public sealed interface Finding {}

    /**
     * The change can be undone, unless its target has changed since.
     *
     * @param uri the location of the stored states
     */
    public record Undoable(String uri, KeptChange change, KeptChange.Kept states) implements Finding {
        /** The tool that undoes it. */
        public String tool() {
            return change.subject().toolFor(states.before());
        }
    }

    /** The change cannot be undone. */
    public record NotUndoable(String reason) implements Finding {}

    /** Whether the change of a record can be undone, judging by the record and the stored states only. */
    public Finding of(AuditRecord record) {
        CallFacts call = record.call();
        if (call.kind() != AuditLog.Kind.CALL || Subject.of(call.toolName()).isEmpty()) {
            return new NotUndoable(
                    "Only calls of file_write, file_delete, memory_save and memory_delete can be undone.");
        }
        return switch (call.status()) {
            case REFUSED -> new NotUndoable("The call was refused, so it changed nothing.");
            case FAILED -> new NotUndoable("The call failed, so no change of it is kept.");
            case COMPLETED, INTERRUPTED ->
                isOfEarlierAgent(call)
                        ? new NotUndoable("The call was made by an earlier agent of the same name.")
                        : keptOf(call);
        };
    }

    // The memory of a deleted agent must not be visible to a new one of the same name.
    private boolean isOfEarlierAgent(CallFacts call) {
        return agents.find(new TenantId(call.tenantId()), new AgentId(call.agentId()))
                .filter(agent -> agent.createdAt().isAfter(call.timestamp()))
                .isPresent();
    }

    private Finding keptOf(CallFacts call) {
        try {
            Optional<KeptChanges.Found> found = kept.ofCall(
                    new TenantId(call.tenantId()),
                    new WorkspaceId(call.workspaceId()),
                    new AgentId(call.agentId()),
                    new RequestId(call.requestId()),
                    call.toolName());
            return found.map(RecordedChanges::finding)
                    .orElseGet(() -> new NotUndoable(
                            "The state before the call is not kept: it never was, or its retention period is over."));
        } catch (IOException unreadable) {
            LOG.warn("The stored states of call {} cannot be read: {}", call.requestId(), unreadable.getMessage());
            return new NotUndoable("The state before the call cannot be read now; try again later.");
        }
    }

    private static Finding finding(KeptChanges.Found found) {
        return switch (found.change().states()) {
            case KeptChange.NotKept(String why) -> new NotUndoable(why + ".");
            case KeptChange.Kept states ->
                states.before().isSameAs(states.after())
                        ? new NotUndoable("The call changed nothing.")
                        : new Undoable(found.uri(), found.change(), states);
        };
    }
}
