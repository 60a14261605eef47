package dev.toolgate.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/** Calls tools like the gate: JSON arguments (with single quotes) are validated, then decoded. */
public final class Calls {
    public static final Caller ALICE = caller("acme", "alice");

    private Calls() {}

    public static Caller caller(String tenant, String agent) {
        return Caller.ofAgent(new TenantId(tenant), new AgentId(agent), null, new WorkspaceId("w"));
    }

    public static <A> Output call(Tool<A> tool, String arguments) throws ToolFailure, InterruptedException {
        return call(tool, arguments, ALICE, Bounds.none());
    }

    public static <A> Output call(Tool<A> tool, String arguments, Caller caller, Bounds bounds)
            throws ToolFailure, InterruptedException {
        ObjectNode given = (ObjectNode) Json.MAPPER.readTree(arguments.replace('\'', '"'));
        assertThat(tool.spec().arguments().validate(given)).isEmpty();
        return tool.call(tool.spec().arguments().decode(given), context(tool, given, caller, bounds));
    }

    public static ToolContext context(Tool<?> tool, ObjectNode arguments, Caller caller, Bounds bounds) {
        return new ToolContext(Call.of(caller, tool.spec().name(), arguments), bounds);
    }

    public static Failure failure(Tool<?> tool, String arguments) {
        return failure(tool, arguments, ALICE, Bounds.none());
    }

    public static Failure failure(Tool<?> tool, String arguments, Caller caller, Bounds bounds) {
        return catchThrowableOfType(ToolFailure.class, () -> call(tool, arguments, caller, bounds))
                .failure();
    }

    /** The structured output. */
    public static String json(Output output) {
        return Json.MAPPER.writeValueAsString(output.structured());
    }

    /** Starts a call on its own thread, to be interrupted; the future holds what the tool threw. */
    public static Interruptible start(Tool<?> tool, String arguments) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                thrown.completeExceptionally(
                        new AssertionError("ended with " + call(tool, arguments).text()));
            } catch (Throwable expected) {
                thrown.complete(expected);
            }
        });
        return new Interruptible(thread, thrown);
    }

    /** A running call. */
    public record Interruptible(Thread thread, CompletableFuture<Throwable> thrown) {}
}
