package dev.toolgate.server.trial;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A tool whose runs are counted outside of the gate. */
final class TrialTool implements Tool<TrialTool.Arguments> {
    /** The arguments. */
    record Arguments(@Param("Anything at all") @Nullable String text) {}

    /** What it does after it was counted. */
    interface Work {
        Output call(String request, String text) throws ToolFailure, InterruptedException;
    }

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final AtomicInteger runs = new AtomicInteger();
    private final ToolSpec<Arguments> spec;
    private final Work work;

    private TrialTool(ToolSpec<Arguments> spec, Work work) {
        this.spec = spec;
        this.work = work;
    }

    static TrialTool reading(String name, Work work) {
        return new TrialTool(named(name), work);
    }

    static TrialTool changing(String name, Work work) {
        return new TrialTool(named(name).changing(), work);
    }

    static TrialTool sending(String name, Work work) {
        return new TrialTool(named(name).sending(), work);
    }

    private static ToolSpec<Arguments> named(String name) {
        return ToolSpec.of(name, Arguments.class, Category.EXEC, "Trial.Run", "Leaves a trace");
    }

    /** Tools that read, write the request id to a file, write and fail, send it to a {@link Receiver}, and throw. */
    static List<Tool<?>> writingTo(Path effects) {
        return List.of(
                reading("look", (_, _) -> Output.text("seen")),
                changing("note", (request, _) -> {
                    append(effects, request);
                    return Output.text("noted " + request);
                }),
                changing("stumble", (request, _) -> {
                    append(effects, request);
                    throw new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, "Stumbled over " + request);
                }),
                sending("send", (request, _) -> Output.text("sent " + sendTo(Receiver.fromEnvironment(), request))),
                reading("broken", (_, text) -> {
                    throw new IllegalStateException("Broke over " + text);
                }),
                reading("forbidden", (_, _) -> Output.text("nobody was ever granted this")));
    }

    // Written data survives the kill of the process, so it need not be forced to disk.
    private static void append(Path effects, String request) {
        try {
            Files.writeString(effects, request + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException unwritten) {
            throw new UncheckedIOException(unwritten);
        }
    }

    private static int sendTo(String receiver, String request) throws InterruptedException {
        URI page = URI.create("http://" + receiver + "/" + request);
        try {
            return HTTP.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException unsent) {
            throw new UncheckedIOException(unsent);
        }
    }

    /** The number of runs. */
    int runs() {
        return runs.get();
    }

    @Override
    public ToolSpec<Arguments> spec() {
        return spec;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        runs.incrementAndGet();
        return work.call(context.call().requestId().value(), String.valueOf(arguments.text()));
    }
}
