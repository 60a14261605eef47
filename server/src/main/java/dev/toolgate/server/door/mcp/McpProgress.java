package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.Progress;
import dev.toolgate.core.call.ToolLog;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.ProgressUpdate;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reports the progress of a call to its client: the tool's output, at most ten times a second, and that the call waits
 * for an approval, so that the client keeps waiting. Requests the input that the tool needs.
 */
final class McpProgress implements CallListener, AutoCloseable {
    private static final long UPDATE_INTERVAL = Duration.ofMillis(100).toNanos();
    private static final Duration HELD_INTERVAL = Duration.ofSeconds(5);
    private static final int MAX_MESSAGE = 4000;

    private final RequestContext context;
    private final InteractiveCalls.InputRequester requester;
    private final StringBuilder unsent = new StringBuilder();
    private long lastSent = System.nanoTime() - UPDATE_INTERVAL;
    private long steps;
    private final CountDownLatch waitingIsOver = new CountDownLatch(1);
    private volatile boolean held;

    /**
     * @param requester requests input from the client
     */
    McpProgress(RequestContext context, InteractiveCalls.InputRequester requester) {
        this.context = context;
        this.requester = requester;
    }

    /** Whether the client wants progress or can be asked for input. */
    boolean isNeeded() {
        return context.progressToken() != null || !requester.equals(InteractiveCalls.InputRequester.NONE);
    }

    @Override
    public ObjectNode answerable() {
        return requester.equals(InteractiveCalls.InputRequester.NONE)
                ? JsonNodeFactory.instance.objectNode()
                : InteractiveCalls.answerable(context);
    }

    @Override
    public Map<String, ObjectNode> onInputNeeded(Map<String, NeededInput> inputs) throws InterruptedException {
        return requester.ask(inputs);
    }

    @Override
    public void onLog(ToolLog message) {
        LogLevel level = LogLevel.of(message.level());
        if (level != null) {
            context.log(level, message.logger(), message.data());
        }
    }

    @Override
    public void onChunk(OutputChunk chunk) {
        unsent.append(chunk.text());
        if (unsent.length() > MAX_MESSAGE) {
            int excess = unsent.length() - MAX_MESSAGE;
            unsent.delete(0, Character.isLowSurrogate(unsent.charAt(excess)) ? excess + 1 : excess);
        }
        if (System.nanoTime() - lastSent >= UPDATE_INTERVAL) {
            report(unsent.toString());
            unsent.setLength(0);
            lastSent = System.nanoTime();
        }
    }

    @Override
    public synchronized void onProgress(Progress progress) {
        steps = Math.max(steps, progress.done().longValue());
        context.report(new ProgressUpdate(progress.done(), progress.total(), progress.message()));
    }

    /** Whether the call has waited for an approval. */
    boolean wasHeld() {
        return held;
    }

    @Override
    public void onHeld(Question question) {
        held = true;
        String message = "Waiting for a person to approve the call: " + question.reason();
        Thread.ofVirtual().name("mcp-held").start(() -> repeat(message));
    }

    private void repeat(String message) {
        try {
            do {
                report(message);
            } while (!waitingIsOver.await(HELD_INTERVAL.toSeconds(), TimeUnit.SECONDS)
                    && !context.cancelSignal().isCancelled());
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onStart() {
        stopWaiting();
    }

    // Without an interrupt, which would close the client's connection if the thread is writing to it.
    private void stopWaiting() {
        waitingIsOver.countDown();
    }

    private synchronized void report(String message) {
        context.report(ProgressUpdate.step(++steps, message));
    }

    @Override
    public void close() {
        stopWaiting();
    }
}
