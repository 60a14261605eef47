package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ThinkingSeal;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A model with scripted turns; the last one is repeated. */
final class FakeModel implements Provider {

    /** One answer. */
    @FunctionalInterface
    interface Turn {
        void answer(Consumer<StreamChunk> out, Cancellation cancellation);
    }

    private final List<Turn> turns;
    private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();

    FakeModel(Turn... turns) {
        this.turns = List.of(turns);
    }

    List<ChatRequest> requests() {
        return requests;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        requests.add(request);
        turns.get(Math.min(requests.size(), turns.size()) - 1).answer(consumer, cancellation);
    }

    @Override
    public List<ModelInfo> listModels(@Nullable ProviderKey key) {
        return List.of();
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey key) {}

    static Turn says(String... pieces) {
        return says(new Usage(10, 5), pieces);
    }

    static Turn says(Usage usage, String... pieces) {
        return (out, cancellation) -> {
            out.accept(new StreamChunk.Start("m", 0, "fake-1"));
            for (String piece : pieces) {
                out.accept(new StreamChunk.Text("m", 1, piece));
            }
            out.accept(new StreamChunk.End("m", 2, usage, "fake-1", StopReason.FINISHED));
        };
    }

    static Turn calls(ToolCall... calls) {
        return calls(new Usage(10, 5), calls);
    }

    /** Tool calls with interleaved pieces. */
    static Turn calls(Usage usage, ToolCall... calls) {
        return (out, cancellation) -> {
            out.accept(new StreamChunk.Start("m", 0, "fake-1"));
            out.accept(new StreamChunk.Thinking("m", 1, "hm", null));
            out.accept(new StreamChunk.Thinking("m", 2, "", new ThinkingSeal.Signature("sig")));
            for (ToolCall call : calls) {
                out.accept(new StreamChunk.ToolCallStart("m", 3, call.id(), call.name()));
            }
            for (ToolCall call : calls) {
                out.accept(new StreamChunk.ToolCallDelta(
                        "m", 4, call.id(), call.input().substring(0, 1)));
            }
            for (ToolCall call : calls) {
                out.accept(new StreamChunk.ToolCallDelta(
                        "m", 5, call.id(), call.input().substring(1)));
                out.accept(new StreamChunk.ToolCallEnd("m", 6, call.id()));
            }
            out.accept(new StreamChunk.End("m", 7, usage, "fake-1", StopReason.TOOL_CALLS));
        };
    }

    static Turn breaks(ProviderFailure failure) {
        return (out, cancellation) -> {
            out.accept(new StreamChunk.Start("m", 0, "fake-1"));
            out.accept(new StreamChunk.Text("m", 1, "Half an"));
            out.accept(new StreamChunk.Broken("m", 2, failure));
        };
    }

    /** Sends this text and then hangs until cancelled. */
    static Turn hangs(String text) {
        return (out, cancellation) -> {
            out.accept(new StreamChunk.Text("m", 1, text));
            CountDownLatch cancelled = new CountDownLatch(1);
            cancellation.onCancel(cancelled::countDown);
            try {
                cancelled.await();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
            out.accept(new StreamChunk.Broken(
                    "m", 2, ProviderFailure.of(ProviderFailure.Kind.CANCELLED, "The answer was cancelled.")));
        };
    }
}
