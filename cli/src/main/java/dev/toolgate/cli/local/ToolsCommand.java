package dev.toolgate.cli.local;

import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.LocalRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate tools}: lists the tools and their parameters. */
@Command(name = "tools", description = "List the tools, or show one with its schema.", mixinStandardHelpOptions = true)
public final class ToolsCommand implements Callable<Integer> {
    @Mixin
    private RuntimeOptions runtime = new RuntimeOptions();

    @Option(names = "--json", description = "Print everything as JSON, schemas included.")
    private boolean json;

    @Parameters(arity = "0..1", paramLabel = "TOOL", description = "Show only this tool, with its schema.")
    private @Nullable String name;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (LocalRuntime open = runtime.open()) {
            List<Tool<?>> tools = name == null ? open.tools() : List.of(open.find(name));
            if (json || name != null) {
                List<ObjectNode> shown =
                        tools.stream().map(tool -> asJson(tool.spec())).toList();
                out.println(Json.MAPPER
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsString(name == null ? shown : shown.getFirst()));
            } else {
                tools.forEach(tool -> print(tool.spec(), out));
                out.println("Show a schema with 'toolgate tools TOOL', run one with 'toolgate call TOOL key=value…'.");
            }
            StandardOutput.finish(out);
            return 0;
        }
    }

    private static void print(ToolSpec<?> tool, PrintWriter out) {
        String aliases = tool.aliases().stream().map(Alias::name).collect(Collectors.joining(", "));
        out.printf("%-13s %s%n", tool.name(), tool.description());
        out.printf("%-13s takes %s%n", "", parameters(tool));
        out.printf(
                "%-13s needs %s, %s%s%n%n",
                "", tool.capability(), tool.danger().wireName(), aliases.isEmpty() ? "" : "; also " + aliases);
    }

    private static String parameters(ToolSpec<?> tool) {
        ObjectNode schema = tool.arguments().schema();
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        return schema.path("properties").propertyNames().stream()
                .map(parameter -> required.contains(parameter) ? parameter : "[" + parameter + "]")
                .collect(Collectors.joining(" "));
    }

    private static ObjectNode asJson(ToolSpec<?> tool) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("name", tool.name());
        node.set(
                "aliases",
                Json.MAPPER.valueToTree(tool.aliases().stream().map(Alias::name).toList()));
        node.put("description", tool.description());
        node.put("capability", tool.capability());
        node.put("category", tool.category().wireName());
        node.put("danger", tool.danger().wireName());
        node.set("inputSchema", tool.arguments().schema());
        tool.resultSchema().ifPresent(schema -> node.set("outputSchema", schema));
        return node;
    }
}
