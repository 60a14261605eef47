package dev.toolgate.server.mcpclient;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Echoes a text and counts how often; the tests have several of them with different grants. */
public final class VoiceTool implements Tool<VoiceTool.Arguments> {
    /** The arguments. */
    public record Arguments(@Param("What to say") String text) {}

    private final ToolSpec<Arguments> spec;
    private final Map<String, Integer> said = new ConcurrentHashMap<>();

    public VoiceTool(String name) {
        this.spec = ToolSpec.of(name, Arguments.class, Category.EXEC, "Say.Something", "Say something (" + name + ")");
    }

    @Override
    public ToolSpec<Arguments> spec() {
        return spec;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) {
        said.merge(arguments.text(), 1, Integer::sum);
        return Output.text(spec.name() + " said " + arguments.text());
    }

    /** How often it was called with a text. */
    public int times(String text) {
        return said.getOrDefault(text, 0);
    }
}
