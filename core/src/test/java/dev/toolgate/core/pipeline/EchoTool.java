package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Echoes its input, or runs a test's code instead. */
final class EchoTool implements Tool<EchoTool.Arguments> {
    record Arguments(
            @Param(value = "What to say", minLength = 1) String text,

            @Param(value = "How often", min = 1, max = 5, defaultValue = "1") @Nullable
            Integer times,

            @Param("Where to say it") @Nullable String path) {}

    record Result(String said) {}

    interface Work {
        Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException;
    }

    private final ToolSpec<Arguments> spec;
    private final Work work;

    EchoTool(ToolSpec<Arguments> spec, Work work) {
        this.spec = spec;
        this.work = work;
    }

    static EchoTool safe() {
        return safe((arguments, context) -> Output.of(said(arguments), new Result(said(arguments))));
    }

    static EchoTool safe(Work work) {
        return new EchoTool(specification(), work);
    }

    static EchoTool dangerous(Work work) {
        return new EchoTool(specification().dangerous(), work);
    }

    static ToolSpec<Arguments> specification() {
        return ToolSpec.of("echo", Arguments.class, Category.EXEC, "Echo.Say", "Say something")
                .returning(Result.class)
                .alsoKnownAs(
                        Alias.runtime("Echo").defaulting("times", 3).requiringAbsolute("path"), Alias.web("sayEcho"));
    }

    private static String said(Arguments arguments) {
        return arguments.text().repeat(arguments.times() == null ? 1 : arguments.times());
    }

    @Override
    public ToolSpec<Arguments> spec() {
        return spec;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return work.call(arguments, context);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) {
        return Optional.of("would say " + arguments.text());
    }
}
