package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Prints until it is stopped. */
final class ChatterTool implements Tool<ChatterTool.Arguments> {
    /** The arguments. */
    record Arguments(@Param("What to print") String text) {}

    private static final ToolSpec<Arguments> SPEC =
            ToolSpec.of("chatter", Arguments.class, Category.EXEC, "Say.Something", "Print without end");

    private final Map<String, CountDownLatch> begun = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> stopped = new ConcurrentHashMap<>();

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws InterruptedException {
        latch(begun, arguments.text()).countDown();
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (!never.await(50, TimeUnit.MILLISECONDS)) {
                context.emit(OutputChunk.Source.STDOUT, arguments.text() + "\n");
            }
            return Output.text("said everything");
        } catch (InterruptedException asked) {
            latch(stopped, arguments.text()).countDown();
            throw asked;
        }
    }

    private static CountDownLatch latch(Map<String, CountDownLatch> latches, String text) {
        return latches.computeIfAbsent(text, _ -> new CountDownLatch(1));
    }

    /** Waits until the call with this text runs. */
    void awaitBegin(String text) throws InterruptedException {
        latch(begun, text).await();
    }

    /** Waits until the call with this text was stopped. */
    void awaitStop(String text) throws InterruptedException {
        latch(stopped, text).await();
    }
}
