package dev.toolgate.cli.local;

import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.json.Json;
import dev.toolgate.runtime.LocalRuntime;
import dev.toolgate.runtime.ToolRequest;
import dev.toolgate.runtime.ToolResult;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate call}: runs one tool in this process, in this folder. */
@Command(
        name = "call",
        description = "Run a tool locally, with this folder as its workspace.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  toolgate call file_list path=.",
            "  toolgate call bash command='ls -l' timeout=10",
            "  toolgate call http_request --json '{\"url\": \"https://example.com\"}'"
        })
public final class CallCommand implements Callable<Integer> {
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    @Mixin
    private RuntimeOptions runtime = new RuntimeOptions();

    @Parameters(index = "0", paramLabel = "TOOL", description = "The tool's name or alias.")
    private String tool = "";

    @Parameters(index = "1..*", paramLabel = "key=value", description = "The arguments.")
    private List<String> words = List.of();

    @Option(
            names = "--json",
            paramLabel = "OBJECT",
            description = "The arguments as one JSON object; - reads it from standard input.")
    private @Nullable String json;

    @Option(names = "--result-json", description = "Print the whole result as JSON.")
    private boolean resultAsJson;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        CountDownLatch ended = new CountDownLatch(1);
        try {
            return call(out, err, ended);
        } finally {
            ended.countDown();
        }
    }

    private int call(PrintWriter out, PrintWriter err, CountDownLatch ended) throws IOException {
        try (LocalRuntime open = runtime.open()) {
            ToolRequest request = ToolRequest.of(tool, arguments(open));
            ToolResult result = execute(open, request, err, ended);
            if (resultAsJson) {
                out.println(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result));
            } else {
                print(result, out, err);
            }
            err.flush();
            StandardOutput.finish(out);
            return result.status() == ToolResult.Status.SUCCEEDED ? 0 : 1;
        }
    }

    // Stopping the program cancels the call first, so that no process it started outlives it.
    private static ToolResult execute(LocalRuntime open, ToolRequest request, PrintWriter err, CountDownLatch ended) {
        Cancellation cancellation = new Cancellation();
        Thread onExit = new Thread(() -> {
            cancellation.cancel();
            try {
                // Does not wait for the thread itself, which waits for this hook when it exits.
                var _ = ended.await(SHUTDOWN_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            return open.router().execute(request, progress(err), cancellation);
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(onExit);
            } catch (IllegalStateException alreadyStopping) {
                // The hook has cancelled the call.
                Thread.currentThread().interrupt();
            }
        }
    }

    // At a terminal, the output of a long command is shown while it runs.
    private static CallListener progress(PrintWriter err) {
        if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isEmpty()) {
            return CallListener.NONE;
        }
        return chunk -> {
            err.print(chunk.text());
            err.flush();
        };
    }

    private static void print(ToolResult result, PrintWriter out, PrintWriter err) {
        if (result.outputText() != null) {
            out.println(result.outputText());
        }
        for (Artifact artifact : result.artifacts()) {
            err.println("artifact: " + artifact.name() + " ("
                    + artifact.content().size() + " bytes) " + (artifact.uri() == null ? "" : artifact.uri()));
        }
        if (result.error() != null) {
            err.println(
                    "toolgate: " + result.error().code() + ": " + result.error().message());
        }
    }

    private Map<String, Object> arguments(LocalRuntime open) throws IOException {
        if (json == null) {
            ObjectNode schema = open.find(tool).spec().arguments().schema();
            return Json.MAPPER.convertValue(KeyValueArguments.parse(words, schema), OBJECT);
        }
        if (!words.isEmpty()) {
            throw new IllegalArgumentException("give the arguments either as key=value or with --json, not both");
        }
        String text = json.equals("-") ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : json;
        try {
            JsonNode node = Json.MAPPER.readTree(text);
            if (node.isObject()) {
                return Json.MAPPER.convertValue(node, OBJECT);
            }
        } catch (JacksonException notJson) {
            throw new IllegalArgumentException("--json is not valid JSON: " + notJson.getOriginalMessage());
        }
        throw new IllegalArgumentException("--json must be an object, for example '{\"path\": \"README.md\"}'");
    }
}
