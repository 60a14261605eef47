package dev.toolgate.server.mcpclient;

import dev.toolgate.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The script of a model: one tool call after the other, then a last sentence. It keeps the results it receives. */
public final class ModelScript {
    /** The last sentence. */
    public static final String END = "That was all.";

    /** The name of the client's shell tool in scripts. */
    static final String SHELL = "Bash";

    /**
     * One call.
     *
     * @param before done once, before the model asks for the call
     * @param after done once, in a separate thread, when the call is sent to the client
     */
    record Step(String tool, String arguments, Runnable before, Runnable after) {}

    private final List<Step> steps = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final List<String> offered = new CopyOnWriteArrayList<>();
    private volatile List<String> results = List.of();

    /** Calls a tool by the last part of the name that the client gives it. */
    public ModelScript call(String tool, String text) {
        return call(tool, text, () -> {}, () -> {});
    }

    /** Calls a tool, with something to do before the call, and something while the client waits for it. */
    public ModelScript call(String tool, String text, Runnable before, Runnable after) {
        String arguments = Json.MAPPER.createObjectNode().put("text", text).toString();
        steps.add(new Step(tool, arguments, before, after));
        return this;
    }

    /** Has the client run a command with its own tool, with something to do before. */
    public ModelScript bash(String command, Runnable before) {
        String arguments =
                Json.MAPPER.createObjectNode().put("command", command).toString();
        steps.add(new Step(SHELL, arguments, before, () -> {}));
        return this;
    }

    /** Whether a client that offers these tools can be given a call of the script. */
    boolean isFor(List<String> tools) {
        return tools.stream().anyMatch(name -> name.startsWith("mcp__"))
                || steps.stream().anyMatch(step -> tools.contains(step.tool()));
    }

    /**
     * What to do next.
     *
     * @param tools the names that the client offers now
     * @param told the results of the calls so far
     * @return null if there is nothing left to do
     */
    @Nullable
    Step next(List<String> tools, List<String> told) {
        results = List.copyOf(told);
        if (offered.isEmpty()) {
            offered.addAll(tools);
        }
        if (told.size() >= steps.size()) {
            return null;
        }
        Step step = steps.get(told.size());
        // A client may send the same conversation twice.
        if (begun.compareAndSet(told.size(), told.size() + 1)) {
            step.before().run();
            Thread.ofVirtual().start(step.after());
        }
        return step;
    }

    /** The tools that the client offered at first. */
    public List<String> offered() {
        return List.copyOf(offered);
    }

    /** The results of the calls, in their order. */
    public List<String> results() {
        return results;
    }

    static String text(JsonNode content) {
        if (content.isString()) {
            return content.asString();
        }
        StringBuilder all = new StringBuilder();
        content.forEach(block -> all.append(block.path("text").asString("")));
        return all.toString();
    }
}
