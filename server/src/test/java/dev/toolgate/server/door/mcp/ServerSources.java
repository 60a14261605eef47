package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.Progress;
import dev.toolgate.core.call.ServerResult;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.PromptSource;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools, prompts and resources like those of a server behind the gate, without the server. */
final class ServerSources {
    static final byte[] PICTURE = {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2};

    private ServerSources() {}

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private static ToolSpec<ObjectNode> spec(String name) {
        return ToolSpec.of(
                        name,
                        ArgumentType.json(json("{\"type\": \"object\"}")),
                        Category.MCP,
                        "Mcp.Invoke",
                        "Does " + name)
                .dangerous();
    }

    /** The completion of an argument: the arguments of the call themselves. */
    private static Output completed(ObjectNode arguments) {
        ObjectNode result = json("{}");
        result.putObject("completion").putArray("values").add(arguments.toString());
        return Output.of("", result);
    }

    /** A tool whose result has every kind of content. */
    static final class Draw implements Tool<ObjectNode> {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/draw");
        }

        @Override
        public Optional<ObjectNode> listedAs() {
            return Optional.of(json("""
                    {"name": "draw", "title": "Draw a picture", "description": "Does art/draw", "inputSchema": {"type": "object"},
                     "annotations": {"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}, "execution": {"taskSupport": "required"},
                     "_meta": {"example.org/icon": "brush"}}"""));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            context.report(new Progress(new BigDecimal("0.5"), BigDecimal.ONE, "half of it"));
            ArrayNode content = (ArrayNode) Json.MAPPER.readTree("""
                    [{"type": "text", "text": "first", "annotations": {"audience": ["user"]}},
                     {"type": "image", "mimeType": "image/png", "artifact": 0},
                     {"type": "resource", "resource": {"uri": "art://1", "mimeType": "image/png"}, "artifact": 0},
                     {"type": "resource_link", "uri": "art://2", "name": "two"}]""");
            return Output.text("first")
                    .withArtifacts(List.of(Artifact.of("tool_image", "image/png", "picture.png", Content.of(PICTURE))))
                    .withOriginal(new ServerResult(content, json("{\"example.org/cost\": 3}")));
        }
    }

    /** A tool that asks its caller for a name and greets it. */
    static final class Greet implements Tool<ObjectNode> {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/greet");
        }

        @Override
        public Optional<ObjectNode> listedAs() {
            return Optional.of(json("{\"name\": \"greet\", \"inputSchema\": {\"type\": \"object\"}}"));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) throws InterruptedException {
            return Output.text(whoAsks(context));
        }
    }

    private static String whoAsks(ToolContext context) throws InterruptedException {
        ObjectNode form = json("""
                {"message": "Who are you?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}""");
        ObjectNode answer = context.ask(Map.of("who", new NeededInput("elicitation/create", form)))
                .get("who");
        return answer == null ? "nobody answers" : "answered " + answer;
    }

    /** A tool with an argument that clients also send as a header. */
    static final class Keyed implements Tool<ObjectNode> {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/keyed");
        }

        @Override
        public Optional<ObjectNode> listedAs() {
            return Optional.of(json("""
                    {"name": "keyed", "inputSchema": {"type": "object",
                     "properties": {"command": {"type": "string", "x-mcp-header": "Command"}}}}"""));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            return Output.text("did " + arguments.path("command").asString());
        }
    }

    /** A prompt whose server asks who wants it. */
    static final class AskingPrompts implements PromptSource {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/prompts");
        }

        @Override
        public String nameOf(String prompt) {
            return "art/" + prompt;
        }

        @Override
        public List<ObjectNode> known() {
            return prompts();
        }

        @Override
        public List<ObjectNode> prompts() {
            return List.of(json("{\"name\": \"praise\"}"));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) throws InterruptedException {
            return Output.of("", json("{\"messages\": []}").put("description", whoAsks(context)));
        }
    }

    /** A resource whose server asks who reads it. */
    static final class AskingResources implements ResourceSource {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/resources");
        }

        @Override
        public @Nullable Subscription subscribe(String uri, Consumer<String> changed) {
            return null;
        }

        @Override
        public List<ObjectNode> known() {
            return resources();
        }

        @Override
        public List<ObjectNode> resources() {
            return List.of(json("{\"uri\": \"art://1\", \"name\": \"one\"}"));
        }

        @Override
        public List<ObjectNode> templates() {
            return List.of();
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) throws InterruptedException {
            ObjectNode result = json("{\"contents\": []}");
            result.withArrayProperty("contents")
                    .addObject()
                    .put("uri", "art://1")
                    .put("text", whoAsks(context));
            return Output.of("", result);
        }
    }

    /** The prompts of the server. */
    static final class Prompts implements PromptSource {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/prompts");
        }

        @Override
        public String nameOf(String prompt) {
            return "art/" + prompt;
        }

        @Override
        public List<ObjectNode> known() {
            return prompts();
        }

        @Override
        public List<ObjectNode> prompts() {
            return List.of(json("{\"name\": \"praise\", \"description\": \"Praises\", \"arguments\": []}"));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            return arguments.has("ref")
                    ? completed(arguments)
                    : Output.of(
                            "",
                            json("{\"messages\": [], \"description\": \"for "
                                    + arguments.path("name").asString() + "\"}"));
        }
    }

    /** The resources of the server. */
    static final class Resources implements ResourceSource {
        final Map<String, Consumer<String>> subscribed = new ConcurrentHashMap<>();

        @Override
        public ToolSpec<ObjectNode> spec() {
            return ServerSources.spec("art/resources");
        }

        @Override
        public Subscription subscribe(String uri, Consumer<String> changed) {
            subscribed.put(uri, changed);
            return () -> subscribed.remove(uri);
        }

        /** Announces a change of a resource, if it is subscribed to. */
        void change(String uri) {
            Consumer<String> changed = subscribed.get(uri);
            if (changed != null) {
                changed.accept(uri);
            }
        }

        @Override
        public List<ObjectNode> known() {
            return resources();
        }

        @Override
        public List<ObjectNode> resources() {
            return List.of(json("{\"uri\": \"art://1\", \"name\": \"one\"}"));
        }

        @Override
        public List<ObjectNode> templates() {
            return List.of(json("{\"uriTemplate\": \"art://frames/{number}/front\", \"name\": \"frame\"}"));
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            return arguments.has("ref")
                    ? completed(arguments)
                    : Output.of(
                            "",
                            json("{\"contents\": [{\"uri\": \""
                                    + arguments.path("uri").asString() + "\", \"text\": \"seen\"}]}"));
        }
    }
}
