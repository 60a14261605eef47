package dev.toolgate.server.upstream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** A small MCP server over HTTP whose tools the test changes; it never announces changes. */
public final class ChangingMcpServer implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";

    private final HttpServer http;
    private final List<String> tools = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final List<String> methods = new CopyOnWriteArrayList<>();
    private final List<JsonNode> metas = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile @Nullable String required;
    private volatile @Nullable String challenge;
    private volatile Map<String, String> documents = Map.of();
    private volatile @Nullable String refusal;
    private final AtomicInteger session = new AtomicInteger();
    private volatile String ending = "";
    private volatile CountDownLatch answering = new CountDownLatch(0);
    private volatile @Nullable String described;

    /** Starts one on a free port. */
    public static ChangingMcpServer open() {
        try {
            return new ChangingMcpServer();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private ChangingMcpServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::answer);
        http.start();
    }

    /** A tool with a description and one argument. */
    public static String tool(String name, String description) {
        return Json.MAPPER
                .createObjectNode()
                .put("name", name)
                .put("description", description)
                .set(
                        "inputSchema",
                        Json.MAPPER.readTree(
                                "{\"type\": \"object\", \"properties\": {\"text\": {\"type\": \"string\"}}}"))
                .toString();
    }

    /** Offers these tools from now on. */
    public void offer(String... definitions) {
        tools.clear();
        tools.addAll(List.of(definitions));
    }

    /** Answers requests without this header with 401 and the challenge. */
    public void require(String authorization, String newChallenge) {
        required = authorization;
        challenge = newChallenge;
    }

    /** Answers listings with an error of this message; null to answer them again. */
    public void refuseListings(@Nullable String message) {
        refusal = message;
    }

    /** Answers requests of the present session with 404. */
    public void loseSession() {
        session.incrementAndGet();
    }

    /** Ends results of tools with this text. */
    public void endResultsWith(String text) {
        ending = text;
    }

    /** Answers no call of a tool from now on. */
    public void holdCalls() {
        answering = new CountDownLatch(1);
    }

    /** Answers all calls of tools, also those that wait. */
    public void answerCalls() {
        answering.countDown();
    }

    /** Offers a prompt, a resource and a template with this description in sessions that begin from now on. */
    public void offerSources(String description) {
        described = description;
    }

    /** Answers GET and POST of other paths with these JSON documents. */
    public void publish(Map<String, String> byPath) {
        documents = byPath;
    }

    public int port() {
        return http.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/mcp";
    }

    /** The Authorization headers of MCP messages. */
    public List<String> authorizations() {
        return authorizations;
    }

    /** The requested methods, and the other paths. */
    public List<String> methods() {
        return methods;
    }

    /** The {@code _meta} of tool calls. */
    public List<JsonNode> metas() {
        return metas;
    }

    /** How many calls of tools it has run. */
    public int calls() {
        return calls.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] body = exchange.getRequestBody().readAllBytes();
            String document = documents.get(path);
            if (!path.equals("/mcp")) {
                methods.add(path);
                send(exchange, document == null ? 404 : 200, document == null ? "{}" : document);
                return;
            }
            String shown = exchange.getRequestHeaders().getFirst("Authorization");
            authorizations.add(String.valueOf(shown));
            if (required != null && !required.equals(shown)) {
                exchange.getResponseHeaders().set("WWW-Authenticate", String.valueOf(challenge));
                send(exchange, 401, "{}");
            } else if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (isOfLostSession(exchange)) {
                send(exchange, 404, "{}");
            } else {
                JsonNode message = Json.MAPPER.readTree(body);
                exchange.getResponseHeaders().set(SESSION, session.toString());
                if (message.path("id").isMissingNode()) {
                    exchange.sendResponseHeaders(202, -1);
                } else {
                    send(exchange, 200, result(message).toString());
                }
            }
        }
    }

    private boolean isOfLostSession(HttpExchange exchange) {
        String used = exchange.getRequestHeaders().getFirst(SESSION);
        return used != null && !used.equals(session.toString());
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private ObjectNode result(JsonNode message) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", message.get("id"));
        String method = message.path("method").asString("");
        methods.add(method);
        switch (method) {
            case "initialize" ->
                answer.set("result", Json.MAPPER.readTree("""
                    {"protocolVersion": "2025-11-25", "capabilities": %s,
                     "serverInfo": {"name": "changing", "version": "1"}}""".formatted(
                                described == null
                                        ? "{\"tools\": {}}"
                                        : "{\"tools\": {}, \"prompts\": {}, \"resources\": {}}")));
            case "prompts/list" -> described(answer, "prompts", "name", "greeting");
            case "resources/list" -> described(answer, "resources", "uri", "wiki://page");
            case "resources/templates/list" -> described(answer, "resourceTemplates", "uriTemplate", "wiki://{page}");
            case "tools/list" -> {
                if (refusal != null) {
                    answer.putObject("error").put("code", -32603).put("message", refusal);
                    return answer;
                }
                ArrayNode listed = answer.putObject("result").putArray("tools");
                tools.forEach(tool -> listed.addRawValue(new RawValue(tool)));
            }
            case "tools/call" -> {
                calls.incrementAndGet();
                metas.add(message.at("/params/_meta"));
                awaitAnswering();
                answer.putObject("result")
                        .putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put(
                                "text",
                                "said " + message.at("/params/arguments/text").asString("") + " " + required + ending);
            }
            case "ping" -> answer.putObject("result");
            default -> answer.putObject("error").put("code", -32601).put("message", "Unknown method");
        }
        return answer;
    }

    private void awaitAnswering() {
        try {
            answering.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void described(ObjectNode answer, String list, String key, String value) {
        answer.putObject("result")
                .putArray(list)
                .addObject()
                .put("name", "listed")
                .put(key, value)
                .put("description", described);
    }

    @Override
    public void close() {
        answerCalls();
        http.stop(0);
    }
}
