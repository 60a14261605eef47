package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ModelAnswer;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs one turn of a conversation: asks the model, runs the tools it calls, returns the results and asks again, until
 * it answers in text. Stateless between turns.
 */
public final class ToolLoop {
    /** How many requests may use tools before the model must answer in text. */
    public static final int MAX_TURNS = 200;

    private static final ProviderFailure NO_END =
            ProviderFailure.of(ProviderFailure.Kind.TRUNCATED, "The provider ended its answer before it was complete.");

    private final Provider provider;
    private final ToolRunner tools;

    public ToolLoop(Provider provider, ToolRunner tools) {
        this.provider = provider;
        this.tools = tools;
    }

    /** Runs on the calling thread until the answer is complete, cancelled or failed and all its tools have ended. */
    public TurnResult run(ChatTurn turn, ChatListener listener, Cancellation cancellation) {
        return new Running(turn, listener, cancellation).run();
    }

    private final class Running {
        private final ChatTurn turn;
        private final Cancellation cancellation;
        private final EventPublisher publisher;
        private final Budget budget;
        private final CallIds callIds = new CallIds();
        private final List<Message> added = new ArrayList<>();
        private String model;
        private StopReason stopReason = StopReason.OTHER;
        private int turns;

        Running(ChatTurn turn, ChatListener listener, Cancellation cancellation) {
            this.turn = turn;
            this.cancellation = cancellation;
            this.publisher = new EventPublisher(turn.messageId(), listener);
            this.budget = new Budget(turn.policy(), turn.meter());
            this.model = turn.request().model();
        }

        TurnResult run() {
            try {
                budget.allow(model);
                ChatRequest first = turn.request()
                        .withMessages(History.repair(turn.request().messages()));
                ChatRequest fitting = budget.fit(first);
                publisher.publish(id -> new ChatEvent.Start(id, model));
                return converse(first, fitting);
            } catch (Stopped stopped) {
                publisher.publishLast(id -> new ChatEvent.Failed(id, stopped.failure()));
                return new TurnResult(ChatEvent.Extent.PARTIAL, added, budget.used(), turns, stopped.failure());
            }
        }

        private TurnResult converse(ChatRequest first, ChatRequest fitting) throws Stopped {
            ChatRequest next = fitting;
            while (true) {
                ModelAnswer answer = ask(next);
                Message.Assistant said = callIds.distinct(answer.message());
                if (!said.blocks().isEmpty()) {
                    added.add(said);
                }
                if (cancellation.isCancelled()) {
                    return end(ChatEvent.Extent.PARTIAL);
                }
                if (next.toolUse() == ChatRequest.ToolUse.FORBIDDEN) {
                    stopReason = StopReason.TURN_LIMIT;
                    return end(ChatEvent.Extent.WHOLE);
                }
                if (said.toolCalls().isEmpty()) {
                    return end(ChatEvent.Extent.WHOLE);
                }
                budget.requireTokensLeft();
                ToolBatch batch = new ToolBatch(tools, publisher, cancellation);
                added.addAll(batch.run(said.toolCalls()));
                if (cancellation.isCancelled()) {
                    TurnResult result = end(ChatEvent.Extent.PARTIAL);
                    batch.settle();
                    return result;
                }
                ChatRequest whole = first.withMessages(
                        Stream.concat(first.messages().stream(), added.stream()).toList());
                next = budget.fit(turns < MAX_TURNS ? whole : whole.withoutToolUse());
            }
        }

        private ModelAnswer ask(ChatRequest request) throws Stopped {
            ModelAnswer answer = new ModelAnswer();
            if (cancellation.isCancelled()) {
                budget.release();
                return answer;
            }
            turns++;
            provider.stream(
                    request,
                    chunk -> {
                        answer.accept(chunk);
                        publisher.relay(chunk);
                    },
                    cancellation);
            budget.charge(request, answer);
            StreamChunk.End end = answer.end();
            stopReason = end == null ? StopReason.OTHER : end.stopReason();
            if (end != null && !end.model().isEmpty()) {
                model = end.model();
            }
            ProviderFailure failure = end == null && answer.failure() == null ? NO_END : answer.failure();
            if (failure != null && failure.kind() == ProviderFailure.Kind.CANCELLED) {
                cancellation.cancel(); // an interrupt counts as cancellation
            }
            if (failure != null && !cancellation.isCancelled()) {
                throw new Stopped(new ChatFailure.OfModel(failure));
            }
            return answer;
        }

        private TurnResult end(ChatEvent.Extent extent) {
            publisher.publishLast(id -> new ChatEvent.End(id, model, budget.used(), stopReason, extent));
            return new TurnResult(extent, added, budget.used(), turns, null);
        }
    }
}
