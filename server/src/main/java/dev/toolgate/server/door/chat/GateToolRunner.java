package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ToolRunner;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.gate.Gate;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes the tool calls of one conversation through the gate, as its agent.
 *
 * @param context the conversation and its message
 * @param trust how far the agent is trusted now; asked anew for every call, so that a change holds for the next one
 * @param identity who is connected now; whoever has lost their key, or cannot be looked at, uses no tools with it
 */
record GateToolRunner(
        Gate gate,
        ToolCatalog catalog,
        Caller caller,
        @Nullable String project,
        @Nullable ToolScope scope,
        CallContext context,
        Supplier<TrustLevel> trust,
        Supplier<Identity> identity)
        implements ToolRunner {
    private static final String OPERATION = "chat";

    @Override
    public Danger danger(String toolName) {
        return catalog.find(toolName).map(tool -> tool.spec().danger()).orElse(Danger.DANGEROUS);
    }

    @Override
    public Outcome run(ToolCall wanted, ObjectNode arguments, CallListener listener, Cancellation cancellation) {
        // A switch of its own: the gate knows a call by it, and those of one message run side by side.
        Cancellation own = new Cancellation();
        Runnable cancel = own::cancel;
        Call call = Call.of(caller, wanted.name(), arguments)
                .purpose(OPERATION, project)
                .scopedTo(scope)
                .trusting(trust.get())
                .held(Call.WhenHeld.WAIT_OR_WITHDRAW)
                .from(context.askedFor(wanted.id()))
                .followedBy(listener, own);
        Failure refusal = refusal(identity.get());
        if (refusal != null) {
            return gate.refuse(call, refusal).outcome();
        }
        cancellation.onCancel(cancel);
        try {
            return gate.execute(call, null).outcome();
        } finally {
            cancellation.forget(cancel);
        }
    }

    private static @Nullable Failure refusal(Identity sender) {
        return switch (sender) {
            case Identity.Known _ -> null;
            case Identity.Unknown _ ->
                Failure.of(ErrorCode.UNAUTHORIZED, "The key of this conversation does not count any more");
            case Identity.SlowedDown slowed ->
                new Failure(
                        ErrorCode.RATE_LIMITED,
                        "Too many wrong credentials came from the address of this conversation; try again later",
                        Map.of(
                                "retryAfterSeconds",
                                Math.max(1, slowed.retryAfter().plusMillis(999).toSeconds())),
                        null);
        };
    }
}
