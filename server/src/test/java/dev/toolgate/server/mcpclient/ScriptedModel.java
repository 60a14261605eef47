package dev.toolgate.server.mcpclient;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A model that follows a script, for agents that need a model: the parts of the streams of Anthropic's messages and
 * OpenAI's responses that Claude Code and the Codex CLI read.
 */
public final class ScriptedModel implements AutoCloseable {
    private final ModelScript script;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private ScriptedModel(ModelScript script, HttpServer server) {
        this.script = script;
        this.server = server;
    }

    /** Starts it on a free loopback port. */
    public static ScriptedModel start(ModelScript script) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ScriptedModel model = new ScriptedModel(script, server);
        server.setExecutor(model.threads);
        server.createContext("/", model::answer);
        server.start();
        return model;
    }

    /** Its address, without a path. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            if (path.endsWith("/messages")) {
                send(exchange, messages(Json.MAPPER.readTree(body)));
            } else if (path.endsWith("/responses")) {
                send(exchange, responses(Json.MAPPER.readTree(body)));
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private static void send(HttpExchange exchange, List<ObjectNode> events) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        for (ObjectNode event : events) {
            exchange.getResponseBody()
                    .write(("event: " + event.path("type").asString() + "\ndata: " + event + "\n\n")
                            .getBytes(StandardCharsets.UTF_8));
        }
    }

    private static ObjectNode event(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    private List<ObjectNode> messages(JsonNode request) {
        List<String> tools = request.path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asString(""))
                .toList();
        List<String> told = new ArrayList<>();
        for (JsonNode message : request.path("messages")) {
            for (JsonNode block : message.path("content")) {
                if (block.path("type").asString("").equals("tool_result")) {
                    told.add(ModelScript.text(block.path("content")));
                }
            }
        }
        // Agents also send other requests, for example for a title; those offer none of our tools.
        ModelScript.Step step = script.isFor(tools) ? script.next(tools, told) : null;
        List<ObjectNode> events = new ArrayList<>();
        events.add(event("""
                {"type": "message_start", "message": {"id": "msg_%s", "type": "message", "role": "assistant",
                 "model": "scripted", "content": [], "stop_reason": null, "stop_sequence": null,
                 "usage": {"input_tokens": 1, "output_tokens": 1}}}""".formatted(UUID.randomUUID())));
        if (step == null) {
            events.add(event("""
                    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}"""));
            events.add(event("""
                    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "%s"}}""".formatted(ModelScript.END)));
        } else {
            ObjectNode begun = event("""
                    {"type": "content_block_start", "index": 0,
                     "content_block": {"type": "tool_use", "id": "toolu_%s", "name": "", "input": {}}}""".formatted(UUID.randomUUID()));
            begun.withObjectProperty("content_block").put("name", named(tools, step.tool()));
            events.add(begun);
            ObjectNode arguments = event("""
                    {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta"}}""");
            arguments.withObjectProperty("delta").put("partial_json", step.arguments());
            events.add(arguments);
        }
        events.add(event("{\"type\": \"content_block_stop\", \"index\": 0}"));
        events.add(event("""
                {"type": "message_delta", "delta": {"stop_reason": "%s", "stop_sequence": null},
                 "usage": {"output_tokens": 1}}""".formatted(step == null ? "end_turn" : "tool_use")));
        events.add(event("{\"type\": \"message_stop\"}"));
        return events;
    }

    // A tool that is no longer offered is called anyway, as a real model may do.
    private static String named(List<String> tools, String tool) {
        return tools.stream()
                .filter(name -> name.equals(tool) || name.endsWith("__" + tool))
                .findFirst()
                .orElse("mcp__toolgate__" + tool);
    }

    private List<ObjectNode> responses(JsonNode request) {
        List<String> tools =
                request.path("tools").valueStream().map(JsonNode::toString).toList();
        List<String> told = new ArrayList<>();
        for (JsonNode item : request.path("input")) {
            if (item.path("type").asString("").equals("function_call_output")) {
                told.add(ModelScript.text(item.path("output")));
            }
        }
        ModelScript.Step step = script.next(tools, told);
        String id = "resp_" + UUID.randomUUID();
        ObjectNode item = step == null ? event("""
                        {"type": "message", "id": "msg_%s", "role": "assistant",
                         "content": [{"type": "output_text", "text": "%s"}]}""".formatted(UUID.randomUUID(), ModelScript.END)) : call(step);
        ObjectNode done = event("{\"type\": \"response.output_item.done\", \"output_index\": 0}");
        done.set("item", item);
        return List.of(
                event("{\"type\": \"response.created\", \"response\": {\"id\": \"%s\"}}".formatted(id)),
                done,
                event("""
                        {"type": "response.completed", "response": {"id": "%s", "output": [],
                         "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                                   "input_tokens_details": {"cached_tokens": 0},
                                   "output_tokens_details": {"reasoning_tokens": 0}}}}""".formatted(id)));
    }

    private static ObjectNode call(ModelScript.Step step) {
        ObjectNode call = event("""
                {"type": "function_call", "id": "fc_%s", "call_id": "call_%s"}""".formatted(UUID.randomUUID(), UUID.randomUUID()));
        if (step.tool().equals(ModelScript.SHELL)) { // Codex has another name for it, and for its argument
            String command =
                    Json.MAPPER.readTree(step.arguments()).path("command").asString();
            return call.put("name", "exec_command")
                    .put(
                            "arguments",
                            Json.MAPPER.createObjectNode().put("cmd", command).toString());
        }
        return call.put("namespace", "mcp__toolgate").put("name", step.tool()).put("arguments", step.arguments());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
