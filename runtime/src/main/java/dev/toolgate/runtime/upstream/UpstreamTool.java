package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.schema.ArgumentCheck;
import dev.toolgate.core.schema.ForeignSchema;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Effect;
import dev.toolgate.core.tool.ResultType;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.mcp.client.transport.CallTimeout;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A tool of an MCP server, under the name {@code server/tool}. */
public final class UpstreamTool implements Tool<ObjectNode> {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTool.class);

    /** The characters that the specification allows, and further separators that servers use. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:/-]{1,128}");

    private final UpstreamChoice choice;
    private final ObjectNode definition;
    private final String name;
    private final CallTimeout timeout;
    private final ToolSpec<ObjectNode> spec;
    private final @Nullable ArgumentCheck resultCheck;

    private UpstreamTool(
            UpstreamChoice choice,
            ObjectNode definition,
            String name,
            CallTimeout timeout,
            ToolSpec<ObjectNode> spec,
            @Nullable ArgumentCheck resultCheck) {
        this.choice = choice;
        this.definition = definition;
        this.name = name;
        this.timeout = timeout;
        this.spec = spec;
        this.resultCheck = resultCheck;
    }

    /**
     * The tool of a definition, which is called only while the server lists exactly this one.
     *
     * @param definition as the server lists it
     * @throws UnusableTool if its name or its schemas cannot be used
     */
    public static UpstreamTool of(Upstream upstream, ObjectNode definition) throws UnusableTool {
        UpstreamSettings settings = upstream.settings();
        String name = settings.nameOf(definition.path("name").asString(""));
        UpstreamChoice.Chosen only =
                new UpstreamChoice.Chosen(upstream, DefinitionCheck.isListed(upstream, name, definition));
        return of(settings, _ -> only, definition);
    }

    /**
     * The tool of a definition, with a connection selected for each call.
     *
     * @throws UnusableTool if its name or its schemas cannot be used
     */
    public static UpstreamTool of(UpstreamSettings settings, UpstreamChoice choice, ObjectNode definition)
            throws UnusableTool {
        try {
            return read(settings, choice, definition);
        } catch (RuntimeException unexpected) {
            // Of an untrusted definition, which must not affect the other tools of its server.
            LOG.warn("A tool of MCP server '{}' cannot be read", settings.name(), unexpected);
            throw new UnusableTool("The definition of the tool cannot be read.");
        }
    }

    private static UpstreamTool read(UpstreamSettings settings, UpstreamChoice choice, ObjectNode definition)
            throws UnusableTool {
        String name = definition.path("name").asString("");
        if (!NAME.matcher(name).matches()) {
            throw new UnusableTool("The name '" + VisibleText.line(name.substring(0, Math.min(name.length(), 100)))
                    + "' has characters that names of tools cannot have, or more than 128.");
        }
        ObjectNode input = schema(name, definition, "inputSchema");
        if (input == null) {
            throw new UnusableTool("The tool '" + name + "' has no input schema.");
        }
        ObjectNode output = schema(name, definition, "outputSchema");
        Duration own = settings.toolTimeouts().get(name);
        CallTimeout timeout = own == null ? SourceSpec.timeout(settings) : CallTimeout.of(own);
        ToolSpec<ObjectNode> spec = ToolSpec.of(
                        settings.nameOf(name),
                        ArgumentType.json(input),
                        Category.MCP,
                        settings.capability(),
                        definition.path("description").asString(""))
                .within(UpstreamCall.pipelineLimit(timeout));
        spec = switch (effect(definition.path("annotations"), settings.trust())) {
            case READS -> spec;
            case SENDS -> spec.sending();
            case CHANGES -> spec.dangerous();
        };
        return new UpstreamTool(
                choice,
                definition,
                name,
                timeout,
                output == null ? spec : spec.returning(new ResultType.OfSchema(output)),
                output == null ? null : ArgumentCheck.foreign(output, "The result"));
    }

    private static @Nullable ObjectNode schema(String tool, ObjectNode definition, String field) throws UnusableTool {
        JsonNode schema = definition.get(field);
        if (schema == null || schema.isNull()) {
            return null;
        }
        if (!(schema instanceof ObjectNode object)) {
            throw new UnusableTool("The tool '" + tool + "' has an " + field + " that is not an object.");
        }
        Optional<String> problem = ForeignSchema.problem(object);
        if (problem.isPresent()) {
            throw new UnusableTool("The tool '" + tool + "' has an " + field + " that " + problem.get() + ".");
        }
        return object;
    }

    // The annotations of a server can only make its tools more dangerous, unless the server is trusted.
    private static Effect effect(JsonNode annotations, AnnotationTrust trust) {
        return switch (trust) {
            case NONE -> Effect.CHANGES;
            case READ_ONLY_HINT -> trustedEffect(annotations);
        };
    }

    // The world of a tool is open unless the server says that it is closed, as the specification has it. Only booleans
    // make a tool less dangerous: a text or a number may not mean what it is converted to.
    private static Effect trustedEffect(JsonNode annotations) {
        boolean readOnly = annotations.path("readOnlyHint").booleanValue(false)
                && !annotations.path("destructiveHint").asBoolean(false);
        if (!readOnly) {
            return Effect.CHANGES;
        }
        return annotations.path("openWorldHint").booleanValue(true) ? Effect.SENDS : Effect.READS;
    }

    @Override
    public Optional<ObjectNode> listedAs() {
        return Optional.of(definition);
    }

    @Override
    public ToolSpec<ObjectNode> spec() {
        return spec;
    }

    @Override
    public Output call(ObjectNode arguments, ToolContext context) throws ToolFailure, InterruptedException {
        UpstreamChoice.Chosen chosen = choice.of(context);
        Upstream upstream = chosen.upstream();
        ObjectNode result = new UpstreamCall(upstream, spec.name(), timeout)
                .send(context, options -> upstream.callTool(name, arguments, options, chosen.check()));
        return UpstreamOutput.of(
                spec.name(),
                result,
                resultCheck,
                upstream.redactor().forCallerOf(context.call(), spec.name()),
                context);
    }
}
