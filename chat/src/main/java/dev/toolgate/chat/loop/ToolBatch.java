package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs the tool calls of one answer. Consecutive safe calls run concurrently; a dangerous call runs alone, after all
 * before it and before all after it, so that each finds the state the model expects.
 */
final class ToolBatch {
    private static final Logger LOG = LoggerFactory.getLogger(ToolBatch.class);
    private static final int MAX_CONCURRENT = 8;

    private final ToolRunner runner;
    private final EventPublisher publisher;
    private final Cancellation cancellation;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
    private final List<InFlight> started = new ArrayList<>();

    /**
     * A started call.
     *
     * @param result for the model; completed at once on cancellation
     * @param over completed when the call has really ended
     */
    private record InFlight(
            ToolCall call,
            EventPublisher.CallPublisher progress,
            CompletableFuture<Message.Tool> result,
            CompletableFuture<Void> over) {
        void complete(ToolReply reply) {
            if (progress.publishResult(reply)) {
                result.complete(new Message.Tool(call.id(), call.name(), reply.text(), reply.status()));
            }
        }
    }

    ToolBatch(ToolRunner runner, EventPublisher publisher, Cancellation cancellation) {
        this.runner = runner;
        this.publisher = publisher;
        this.cancellation = cancellation;
    }

    /**
     * The results in call order. On cancellation, running calls get a result that says so, and calls not yet started
     * get none.
     */
    List<Message.Tool> run(List<ToolCall> calls) {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        Runnable onCancel = () -> cancelled.complete(null);
        cancellation.onCancel(onCancel);
        try {
            for (ToolCall call : calls) {
                if (runner.danger(call.name()) == Danger.DANGEROUS) {
                    await(cancelled);
                    start(call);
                    await(cancelled);
                } else {
                    start(call);
                }
            }
            await(cancelled);
            return results();
        } finally {
            cancellation.forget(onCancel);
        }
    }

    /** Waits until all started calls have really ended. */
    void settle() {
        CompletableFuture.allOf(started.stream().map(InFlight::over).toArray(CompletableFuture[]::new))
                .exceptionally(_ -> null)
                .join();
    }

    private List<Message.Tool> results() {
        if (cancellation.isCancelled()) {
            started.forEach(call -> call.complete(ToolReply.cancelled()));
        }
        return started.stream()
                .map(InFlight::result)
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .toList();
    }

    private void start(ToolCall call) {
        if (cancellation.isCancelled()) {
            return;
        }
        ObjectNode arguments = arguments(call.input());
        EventPublisher.CallPublisher progress =
                publisher.forCall(call, arguments == null ? Json.MAPPER.createObjectNode() : arguments);
        InFlight begun = new InFlight(call, progress, new CompletableFuture<>(), new CompletableFuture<>());
        started.add(begun);
        Thread.ofVirtual().name("tool-" + call.id()).start(() -> {
            permits.acquireUninterruptibly();
            try {
                begun.complete(ToolReply.of(outcome(call, arguments, progress)));
            } catch (RuntimeException | Error broken) {
                begun.result().completeExceptionally(broken);
            } finally {
                permits.release();
                begun.over().complete(null);
            }
        });
    }

    private void await(CompletableFuture<Void> cancelled) {
        CompletableFuture<Void> all =
                CompletableFuture.allOf(started.stream().map(InFlight::result).toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, cancelled).get();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            cancellation.cancel(); // an interrupt of this thread stops the tools too
        } catch (ExecutionException broken) {
            all.join();
        }
    }

    private Outcome outcome(ToolCall call, @Nullable ObjectNode arguments, CallListener progress) {
        if (arguments == null) {
            return failed(ErrorCode.INVALID_REQUEST, "The arguments of the call are not a JSON object; send it again.");
        }
        if (cancellation.isCancelled()) {
            return failed(ErrorCode.TOOL_EXECUTION_FAILED, "The call was cancelled before it began.");
        }
        try {
            return runner.run(call, arguments, progress, cancellation);
        } catch (Unavailable unavailable) {
            return failed(
                    ErrorCode.SERVICE_UNAVAILABLE, "A dependency of the call is unavailable; send it again later.");
        } catch (RuntimeException broken) {
            LOG.error("A tool call failed unexpectedly", broken);
            return failed(ErrorCode.INTERNAL_ERROR, "The call could not be run.");
        }
    }

    private static Outcome failed(ErrorCode code, String message) {
        return new Outcome.Failed(Failure.of(code, message));
    }

    private static @Nullable ObjectNode arguments(String input) {
        try {
            JsonNode json = Json.MAPPER.readTree(input);
            return json.isNull() ? Json.MAPPER.createObjectNode() : json instanceof ObjectNode object ? object : null;
        } catch (JacksonException malformed) {
            return null;
        }
    }
}
