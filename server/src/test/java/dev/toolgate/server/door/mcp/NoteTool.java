package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Prints, stores an artifact, returns a structured value, or waits until it is stopped. */
final class NoteTool implements Tool<NoteTool.Arguments> {
    /** The arguments. */
    record Arguments(
            @Param("What to do: keep, print or wait") String doing) {}

    /** The structured result. */
    record Kept(String text, int length) {}

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "notes/take", Arguments.class, Category.DATA, "Note.Take", "Take a note")
            .changing()
            .returning(Kept.class);

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws InterruptedException {
        context.emit(OutputChunk.Source.STDOUT, "working on " + arguments.doing());
        if (arguments.doing().equals("wait")) {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException asked) {
                stopped.countDown();
                throw asked;
            }
        }
        Output output = Output.of("kept " + arguments.doing(), new Kept(arguments.doing(), 4));
        return arguments.doing().equals("keep")
                ? output.withArtifacts(
                        List.of(Artifact.of("tool_output", "text/plain", "note.txt", Content.of("the whole note"))))
                : output;
    }
}
