package dev.toolgate.server.operate;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;

/** A tool whose behaviour the test defines. */
public final class SayTool implements Tool<SayTool.Arguments> {
    /** The arguments. */
    public record Arguments(@Param("What to say") String text) {}

    /** The behaviour. */
    public interface Work {
        Output call(String text) throws ToolFailure, InterruptedException;
    }

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "say", Arguments.class, Category.EXEC, "Say.Something", "Say something")
            .alsoKnownAs(Alias.web("saySomething"));

    private final Work work;

    public SayTool(Work work) {
        this.work = work;
    }

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return work.call(arguments.text());
    }
}
