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

/** Finds what is kept of the change that a record is about. */
public final class RecordedChanges {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedChanges.class);

    private final KeptChanges kept;
    private final Agents agents;

    public RecordedChanges(KeptChanges kept, Agents agents) {
        this.kept = kept;
        this.agents = agents;
    }

    /** What was found. */
    public sealed interface Finding {}

    /**
     * The change can be taken back, unless something has changed since.
     *
     * @param uri where it is kept
     */
    public record Undoable(String uri, KeptChange change, KeptChange.Kept states) implements Finding {
        /** The tool that takes it back. */
        public String tool() {
            return change.subject().toolFor(states.before());
        }
    }

    /** The change cannot be taken back. */
    public record NotUndoable(String reason) implements Finding {}

    /** Whether the change of a record can be taken back, as far as the record and what is kept say. */
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

    // What a deleted agent remembered is not for a new one of its name.
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
            LOG.warn("What is kept of call {} cannot be read: {}", call.requestId(), unreadable.getMessage());
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
