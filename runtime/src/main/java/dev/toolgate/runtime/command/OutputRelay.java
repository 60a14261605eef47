package dev.toolgate.runtime.command;

import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.tool.ToolContext;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes chunks of two streams to one listener, one at a time, until the call is over. A listener that throws gets no
 * more chunks; the command continues.
 */
final class OutputRelay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputRelay.class);

    private final ToolContext context;
    private final ReentrantLock oneAtATime = new ReentrantLock();
    private volatile boolean over;

    OutputRelay(ToolContext context) {
        this.context = context;
    }

    Consumer<String> from(OutputChunk.Source source) {
        return text -> pass(source, text);
    }

    private void pass(OutputChunk.Source source, String text) {
        if (over) {
            return;
        }
        oneAtATime.lock();
        try {
            if (!over) {
                context.emit(source, text);
            }
        } catch (RuntimeException refused) {
            over = true;
            LOG.warn(
                    "Call {}: the output listener failed and gets no more output",
                    context.call().requestId(),
                    refused);
        } finally {
            oneAtATime.unlock();
        }
    }

    // Does not wait for a slow listener, which may still be handling its last chunk.
    @Override
    public void close() {
        over = true;
    }
}
