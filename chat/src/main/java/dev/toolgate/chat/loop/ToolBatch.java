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
 * Runs the calls of one answer. Safe ones that follow each other run together; a dangerous one runs alone, after
 * all before it and before all after it, so that each call finds what the model expects it to find.
 */
final class ToolBatch {
    private static final Logger LOG = LoggerFactory.getLogger(ToolBatch.class);
    private static final int AT_ONCE = 8;

    private final ToolRunner runner;
    private final Announcer announcer;
    private final Cancellation cancellation;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final List<InFlight> started = new ArrayList<>();

    /**
     * A call that was begun.
     *
     * @param result what the model will read; there is one at once when the conversation is cancelled
     * @param over when nothing of the call runs any more
     */
    private record InFlight(
            ToolCall call,
            Announcer.OfCall progress,
            CompletableFuture<Message.Tool> result,
            CompletableFuture<Void> over) {
        void ends(ToolReply reply) {
            if (progress.ends(reply)) {
                result.complete(new Message.Tool(call.id(), call.name(), reply.text(), reply.status()));
            }
        }
    }

    ToolBatch(ToolRunner runner, Announcer announcer, Cancellation cancellation) {
        this.runner = runner;
        this.announcer = announcer;
        this.cancellation = cancellation;
    }

    /**
     * The results in the order of the calls. If the conversation is cancelled meanwhile, calls that run have a result that
     * says so, and those that have not begun have none.
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

    /** Waits until nothing of this batch runs any more. */
    void settle() {
        CompletableFuture.allOf(started.stream().map(InFlight::over).toArray(CompletableFuture[]::new))
                .exceptionally(_ -> null)
                .join();
    }

    private List<Message.Tool> results() {
        if (cancellation.isCancelled()) {
            started.forEach(call -> call.ends(ToolReply.cancelled()));
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
        Announcer.OfCall progress = announcer.of(call, arguments == null ? Json.MAPPER.createObjectNode() : arguments);
        InFlight begun = new InFlight(call, progress, new CompletableFuture<>(), new CompletableFuture<>());
        started.add(begun);
        Thread.ofVirtual().name("tool-" + call.id()).start(() -> {
            places.acquireUninterruptibly();
            try {
                begun.ends(ToolReply.of(outcome(call, arguments, progress)));
            } catch (RuntimeException | Error broken) {
                begun.result().completeExceptionally(broken);
            } finally {
                places.release();
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
            cancellation.cancel(); // whoever wants this thread back wants the tools to stop too
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
            return failed(ErrorCode.SERVICE_UNAVAILABLE, "What the call needs cannot be reached now.");
        } catch (RuntimeException broken) {
            LOG.error("A tool call broke the runner", broken);
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
