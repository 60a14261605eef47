package dev.toolgate.runtime.command;

import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.tool.ToolContext;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes pieces of two streams to one listener, one at a time, and none once the call is over. A
 * listener that throws hears no more; the command goes on.
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
                    "The listener of call {} broke and hears no more",
                    context.call().requestId(),
                    refused);
        } finally {
            oneAtATime.unlock();
        }
    }

    // Does not wait for a listener that is stuck; it may still be inside its last piece.
    @Override
    public void close() {
        over = true;
    }
}
