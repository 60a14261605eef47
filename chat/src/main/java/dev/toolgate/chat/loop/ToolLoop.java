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
 * One turn of a conversation: asks the model, runs the tools it calls, tells it what came of them and asks again,
 * until it answers in words. It keeps nothing between turns.
 */
public final class ToolLoop {
    /** How often a model may ask for tools before it must answer in words. */
    public static final int MOST_TURNS = 200;

    private static final ProviderFailure NO_END =
            ProviderFailure.of(ProviderFailure.Kind.TRUNCATED, "The provider ended its answer before it was whole.");

    private final Provider provider;
    private final ToolRunner tools;

    public ToolLoop(Provider provider, ToolRunner tools) {
        this.provider = provider;
        this.tools = tools;
    }

    /** Runs on the calling thread until the answer is whole, cancelled or broken, and nothing of it runs any more. */
    public Ending run(ChatTurn turn, ChatListener listener, Cancellation cancellation) {
        return new Running(turn, listener, cancellation).run();
    }

    private final class Running {
        private final ChatTurn turn;
        private final Cancellation cancellation;
        private final Announcer announcer;
        private final Budget budget;
        private final CallIds callIds = new CallIds();
        private final List<Message> added = new ArrayList<>();
        private String model;
        private StopReason stopReason = StopReason.OTHER;
        private int turns;

        Running(ChatTurn turn, ChatListener listener, Cancellation cancellation) {
            this.turn = turn;
            this.cancellation = cancellation;
            this.announcer = new Announcer(turn.messageId(), listener);
            this.budget = new Budget(turn.policy(), turn.meter());
            this.model = turn.request().model();
        }

        Ending run() {
            try {
                budget.allow(model);
                ChatRequest first =
                        turn.request().saying(History.mend(turn.request().messages()));
                ChatRequest fitting = budget.fit(first);
                announcer.say(id -> new ChatEvent.Start(id, model));
                return converse(first, fitting);
            } catch (Stopped stopped) {
                announcer.sayLast(id -> new ChatEvent.Failed(id, stopped.failure()));
                return new Ending(ChatEvent.Extent.PARTIAL, added, budget.used(), turns, stopped.failure());
            }
        }

        private Ending converse(ChatRequest first, ChatRequest fitting) throws Stopped {
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
                budget.goOn();
                ToolBatch batch = new ToolBatch(tools, announcer, cancellation);
                added.addAll(batch.run(said.toolCalls()));
                if (cancellation.isCancelled()) {
                    Ending ending = end(ChatEvent.Extent.PARTIAL);
                    batch.settle();
                    return ending;
                }
                ChatRequest whole = first.saying(
                        Stream.concat(first.messages().stream(), added.stream()).toList());
                next = budget.fit(turns < MOST_TURNS ? whole : whole.withoutToolUse());
            }
        }

        private ModelAnswer ask(ChatRequest request) throws Stopped {
            ModelAnswer answer = new ModelAnswer();
            if (cancellation.isCancelled()) {
                budget.drop();
                return answer;
            }
            turns++;
            provider.stream(
                    request,
                    chunk -> {
                        answer.accept(chunk);
                        announcer.relay(chunk);
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
                cancellation.cancel(); // the thread was interrupted, which means the same
            }
            if (failure != null && !cancellation.isCancelled()) {
                throw new Stopped(new ChatFailure.OfModel(failure));
            }
            return answer;
        }

        private Ending end(ChatEvent.Extent extent) {
            announcer.sayLast(id -> new ChatEvent.End(id, model, budget.used(), stopReason, extent));
            return new Ending(extent, added, budget.used(), turns, null);
        }
    }
}
