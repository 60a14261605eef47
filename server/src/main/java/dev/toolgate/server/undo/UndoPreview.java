package dev.toolgate.server.undo;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.pipeline.DryRunResult;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.core.undo.ThreeWayComparison;
import dev.toolgate.core.undo.UndoTool;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.undo.RecordedChanges.Undoable;
import dev.toolgate.store.audit.record.AuditRecord;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Previews an undo. Content is shown only if the principal may read it as the agent. */
public final class UndoPreview {
    private static final int MAX_DIFFERENCE = 64 * 1024;

    private final Gate gate;
    private final ToolCatalog catalog;
    private final UndoCall calls;
    private final Redactor redactor;

    public UndoPreview(Gate gate, ToolCatalog catalog, UndoCall calls, Redactor redactor) {
        this.gate = gate;
        this.catalog = catalog;
        this.calls = calls;
        this.redactor = redactor;
    }

    /** The preview of a change that can be undone in principle. */
    public ObjectNode of(Principal principal, AuditRecord record, Undoable change) {
        Caller caller = calls.caller(principal, record);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("record_id", record.id());
        answer.put("tool_name", change.tool()).put("target", change.change().target());
        answer.put("effect", change.states().before() instanceof KeptState.Absent ? "delete" : "restore");
        decide(answer, gate.dryRun(principal, calls.request(caller, record, change, null)));
        compare(answer, principal, caller, change);
        return answer;
    }

    /** Adds the three versions as differences, if the principal may see them. */
    public void differences(ObjectNode answer, Principal principal, AuditRecord record, Undoable change) {
        compare(answer, principal, calls.caller(principal, record), change);
    }

    private static void decide(ObjectNode answer, DryRunResult result) {
        if (result.obstacle() != null) {
            answer.put("decision", "denied")
                    .put("decision_reason", result.obstacle().message());
            return;
        }
        switch (result.decision()) {
            case Decision.Allow allow -> answer.put("decision", "allowed");
            case Decision.NeedsApproval needed ->
                answer.put("decision", "requires_approval").put("decision_reason", needed.reason());
            case Decision.Deny deny -> answer.put("decision", "denied").put("decision_reason", deny.reason());
        }
    }

    private void compare(ObjectNode answer, Principal principal, Caller caller, Undoable change) {
        DryRunResult reading = gate.dryRun(principal, calls.reading(caller, change));
        try {
            ThreeWayComparison comparison = compare(caller, change);
            boolean unchanged = comparison.standing() == ThreeWayComparison.Standing.UNCHANGED;
            answer.put("undoable", unchanged);
            answer.put(
                    "reason",
                    unchanged
                            ? null
                            : comparison.standing().reason(change.change().target()) + ".");
            answer.put("standing", comparison.standing().name().toLowerCase(Locale.ROOT));
            if (reading.obstacle() == null && reading.decision() instanceof Decision.Allow) {
                ObjectNode differences = answer.putObject("differences");
                differences.put("undo", shown(caller, comparison.undo()));
                differences.put("change", shown(caller, comparison.change()));
                differences.put("since", shown(caller, comparison.since()));
            } else {
                answer.put(
                        "differences_hidden",
                        "Agent '" + caller.agent() + "' may not use "
                                + change.change().subject().readingTool() + " for it without approval.");
            }
        } catch (ToolFailure refused) {
            answer.put("undoable", false).put("reason", refused.failure().message() + ".");
        }
    }

    private ThreeWayComparison compare(Caller caller, Undoable change) throws ToolFailure {
        Optional<Tool<?>> undo = catalog.find(caller.tenant(), change.tool()).flatMap(Tool::undo);
        if (!(undo.orElse(null) instanceof UndoTool<?> tool)) {
            throw new ToolFailure(ErrorCode.TOOL_NOT_FOUND, "The tool '" + change.tool() + "' is disabled");
        }
        try {
            Call call = Call.of(caller, change.tool(), Json.MAPPER.createObjectNode());
            return tool.compare(change.change(), new ToolContext(call, Bounds.none()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpFailure.unavailable("The server is stopping; try again later.");
        }
    }

    private String shown(Caller caller, String difference) {
        return HeadTail.fit(redactor.of(caller.tenant()).mask(difference).value(), MAX_DIFFERENCE);
    }
}
