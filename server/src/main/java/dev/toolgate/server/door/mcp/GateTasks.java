package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.OfferedTasks;
import dev.toolgate.mcp.server.offer.OutgoingMessage;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.server.door.artifact.ArtifactReads;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.store.heldcall.HeldCallWithdrawal;
import dev.toolgate.store.mcp.PendingCalls;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import dev.toolgate.store.mcp.PendingCalls.PendingCall;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Held calls as tasks: the id of a task is the request id of its call. */
final class GateTasks implements OfferedTasks {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final Gate gate;
    private final CallCollector collector;
    private final PendingCalls pending;
    private final HeldMcpCalls heldCalls;
    private final HeldCallWithdrawal withdrawal;
    private final ArtifactReads artifacts;

    GateTasks(
            Gate gate,
            CallCollector collector,
            PendingCalls pending,
            HeldMcpCalls heldCalls,
            HeldCallWithdrawal withdrawal,
            ArtifactReads artifacts) {
        this.gate = gate;
        this.collector = collector;
        this.pending = pending;
        this.heldCalls = heldCalls;
        this.withdrawal = withdrawal;
        this.artifacts = artifacts;
    }

    @Override
    public @Nullable TaskState get(RequestContext context, String taskId) {
        CallOwner owner = owner(context);
        RequestId request = requestId(taskId);
        PendingCall call = owner == null || request == null
                ? null
                : pending.find(owner, request).orElse(null);
        return owner == null || call == null ? null : state(context, owner, call);
    }

    /** After that an equal call is a new one. */
    @Override
    public void sendingOutcome(RequestContext context, String taskId, OutgoingMessage message) {
        RequestId request = requestId(taskId);
        if (request != null) {
            heldCalls.whenDelivered(message, request, () -> {
                CallOwner owner = owner(context);
                if (owner != null) {
                    pending.collected(owner, request);
                }
            });
        }
    }

    private @Nullable CallOwner owner(RequestContext context) {
        McpCaller caller = McpCaller.of(context);
        return switch (gate.identify(caller.principal(), GateTools.request(context, caller))) {
            case Identified.Known known -> HeldMcpCalls.owner(known.caller());
            case Impersonation _ -> null;
        };
    }

    private static @Nullable RequestId requestId(String taskId) {
        try {
            return new RequestId(taskId);
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    private @Nullable TaskState state(RequestContext context, CallOwner owner, PendingCall call) {
        if (call.state() == PendingCalls.State.WITHDRAWN) {
            return finished(call, new TaskState.Cancelled());
        }
        McpCaller caller = McpCaller.of(context);
        return switch (collector.collect(caller.principal(), call.requestId(), owner.agent())) {
            case CallCollector.Found.Held held ->
                heldCalls.working(
                        call, "A person must approve the call.", held.held().expiresAt());
            case CallCollector.Found.Running _, CallCollector.Found.Permitted _ ->
                heldCalls.working(call, "The tool is running.", null);
            case CallCollector.Found.Ended ended ->
                finished(
                        call,
                        new TaskState.Completed(McpResults.of(ended.answer(), new BlockBytes(artifacts, context))));
            case CallCollector.Found.Forgotten _ ->
                finished(
                        call,
                        new TaskState.Failed(RpcErrorCode.INTERNAL_ERROR.error(
                                "The call has ended and its outcome is not kept; its record is in the audit log.")));
            case CallCollector.Found.Nothing _, CallCollector.Found.Several _ -> null;
        };
    }

    private TaskState finished(PendingCall call, TaskState.Status status) {
        TaskState working = heldCalls.working(call, "", null);
        return new TaskState(working.id(), status, null, working.createdAt(), working.updatedAt(), working.ttl(), null);
    }

    @Override
    public @Nullable TaskState await(RequestContext context, String taskId) throws InterruptedException {
        TaskState state = get(context, taskId);
        while (state != null && !state.isOver() && !context.cancelSignal().isCancelled()) {
            Thread.sleep(POLL_INTERVAL);
            state = get(context, taskId);
        }
        return state;
    }

    /** A task never requests input, so responses are ignored. */
    @Override
    public @Nullable TaskState answer(RequestContext context, String taskId, Map<String, JsonNode> responses) {
        return get(context, taskId);
    }

    /** Withdraws a call that still waits for an approval; a running one continues. */
    @Override
    public @Nullable TaskState cancel(RequestContext context, String taskId) {
        TaskState state = get(context, taskId);
        CallOwner owner = state == null || state.isOver() ? null : owner(context);
        if (state != null && owner != null) {
            RequestId request = new RequestId(state.id());
            if (withdrawal.withdraw(owner.tenant(), owner.agent(), owner.principal(), request)) {
                pending.withdrawn(owner, request);
            }
        }
        return get(context, taskId);
    }
}
