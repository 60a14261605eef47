package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ToolRunner;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Submits the tool calls of one conversation to the gate, as its agent.
 *
 * @param began the principal that started the conversation
 * @param conversation what all its calls share
 * @param trust the agent's current trust level, read for every call so that a change applies to the next one
 * @param identity the current identity of the client; without a valid one, calls are refused
 */
record GateToolRunner(
        Gate gate,
        ToolCatalog catalog,
        Principal began,
        CallRequest conversation,
        Supplier<TrustLevel> trust,
        Supplier<Identity> identity)
        implements ToolRunner {

    @Override
    public Danger danger(String toolName) {
        return catalog.find(began.tenant(), toolName)
                .map(tool -> tool.spec().danger())
                .orElse(Danger.DANGEROUS);
    }

    @Override
    public Outcome run(ToolCall wanted, ObjectNode arguments, CallListener listener, Cancellation cancellation) {
        // Each call needs its own: the gate identifies a running call by it, and the calls of one message run
        // concurrently.
        Cancellation own = new Cancellation();
        Runnable cancel = own::cancel;
        CallRequest call = conversation
                .using(wanted.name(), arguments)
                .trusting(trust.get())
                .from(conversation.context().withToolCallId(wanted.id()))
                .followedBy(listener, own);
        cancellation.onCancel(cancel);
        try {
            return answer(call).asOutcome();
        } finally {
            cancellation.forget(cancel);
        }
    }

    private Answer answer(CallRequest call) {
        return switch (identity.get()) {
            case Identity.Known known -> gate.submit(known.principal(), call).answer();
            case Identity.Unknown _ ->
                gate.refuse(
                        began,
                        call,
                        Failure.of(ErrorCode.UNAUTHORIZED, "The key of this conversation is no longer valid"));
            case Identity.SlowedDown slowed ->
                gate.refuse(
                        began,
                        call,
                        Failure.of(
                                        ErrorCode.RATE_LIMITED,
                                        "Too many wrong credentials came from the address of this conversation; try"
                                                + " again later")
                                .withRetryAfter(slowed.retryAfter()));
        };
    }
}
