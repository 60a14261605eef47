package dev.toolgate.client;

import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.model.Validation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A thread-safe client of the gate. It need not be closed.
 *
 * <pre>{@code
 * Toolgate toolgate = Toolgate.builder().url("http://127.0.0.1:8001").key(key).agent("writer").build();
 * System.out.println(toolgate.execute("file_list", Map.of("path", ".")).data());
 * }</pre>
 *
 * <p>Every method throws a {@link ToolgateException} if the gate answers with an error or cannot be reached.
 */
public final class Toolgate {
    private final Connection connection;
    private final Calls calls;
    private final Executor executor;

    Toolgate(Connection connection, Calls calls, Executor executor) {
        this.connection = connection;
        this.calls = calls;
        this.executor = executor;
    }

    /** A builder for a client; settings that are not given are taken from the environment. */
    public static ToolgateBuilder builder() {
        return new ToolgateBuilder(System.getenv());
    }

    /** A client configured by {@code TOOLGATE_URL}, {@code TOOLGATE_KEY} and {@code TOOLGATE_AGENT}. */
    public static Toolgate fromEnvironment() {
        return builder().build();
    }

    /** The agent that makes calls unless they name another. */
    public String agent() {
        return calls.agent();
    }

    /** Calls a tool and waits for its outcome, also if an approval is needed first: as {@link #execute(Call)}. */
    public ToolResult execute(String tool, Map<String, ?> parameters) {
        return execute(Call.of(tool, parameters));
    }

    /**
     * Calls a tool and waits for its outcome, also if an approval is needed first.
     *
     * @throws DeniedException if the call was refused
     * @throws ToolFailedException if the tool failed
     * @throws ApprovalPendingException if the call has not ended after the time it may wait
     */
    public ToolResult execute(Call call) {
        return calls.execute(call).orThrow();
    }

    /** Calls a tool, as {@link #submit(Call)}. */
    public Outcome submit(String tool, Map<String, ?> parameters) {
        return submit(Call.of(tool, parameters));
    }

    /** Calls a tool and does not wait for approvals; every outcome is returned, none is thrown. */
    public Outcome submit(Call call) {
        return calls.submit(call);
    }

    /** The outcome of a call of this client's agent as it is now. */
    public Outcome collect(String requestId) {
        return collect(requestId, Duration.ZERO);
    }

    /** The outcome of a call of this client's agent, waiting for its end for at most this long. */
    public Outcome collect(String requestId, Duration wait) {
        return collect(requestId, calls.agent(), wait);
    }

    /** The outcome of a call of any agent that the key may act for. */
    public Outcome collect(String requestId, String agent, Duration wait) {
        return calls.collect(requestId, agent, wait);
    }

    /** What the gate would decide about any call of a tool; nothing runs and nothing is recorded. */
    public Validation validate(String tool) {
        return calls.validate(Call.of(tool), null);
    }

    /** What the gate would decide about a call. */
    public Validation validate(String tool, Map<String, ?> parameters) {
        return validate(Call.of(tool, parameters));
    }

    /** What the gate would decide about a call. */
    public Validation validate(Call call) {
        return calls.validate(call, call.parameters());
    }

    /** The tools that this client's agent may use. */
    public List<Tool> tools() {
        return calls.tools(null);
    }

    /** The tools that an agent may use. */
    public List<Tool> tools(String agent) {
        return calls.tools(agent);
    }

    /** Asks for a permit to run a tool yourself, as {@link #authorize(ToolCall)}. */
    public Permit authorize(String tool, Map<String, ?> parameters) {
        return authorize(ToolCall.of(tool, parameters));
    }

    /**
     * Asks for a permit to run a tool yourself, and waits if an approval is needed first.
     *
     * @throws DeniedException if the call was refused; the tool must not run
     * @throws ApprovalPendingException if the approval was not answered within the time to wait; the tool must not run
     */
    public Permit authorize(ToolCall call) {
        return calls.authorize(call);
    }

    /** {@link #execute(Call)} in another thread. */
    public CompletableFuture<ToolResult> executeAsync(Call call) {
        return async(() -> execute(call));
    }

    /** {@link #submit(Call)} in another thread. */
    public CompletableFuture<Outcome> submitAsync(Call call) {
        return async(() -> submit(call));
    }

    /** {@link #collect(String, Duration)} in another thread. */
    public CompletableFuture<Outcome> collectAsync(String requestId, Duration wait) {
        return async(() -> collect(requestId, wait));
    }

    /** {@link #validate(Call)} in another thread. */
    public CompletableFuture<Validation> validateAsync(Call call) {
        return async(() -> validate(call));
    }

    /** {@link #tools()} in another thread. */
    public CompletableFuture<List<Tool>> toolsAsync() {
        return async(this::tools);
    }

    /** {@link #authorize(ToolCall)} in another thread. */
    public CompletableFuture<Permit> authorizeAsync(ToolCall call) {
        return async(() -> authorize(call));
    }

    /** Agents. */
    public Agents agents() {
        return new Agents(connection);
    }

    /** What agents may use. */
    public Permissions permissions() {
        return new Permissions(connection);
    }

    /** Calls that wait for an approval. */
    public Approvals approvals() {
        return new Approvals(connection);
    }

    /** The audit log. */
    public Audit audit() {
        return new Audit(connection);
    }

    /** Policy sessions. */
    public Sessions sessions() {
        return new Sessions(connection);
    }

    /** Keys. */
    public Keys keys() {
        return new Keys(connection);
    }

    /** Stored output of tools and agents. */
    public Artifacts artifacts() {
        return new Artifacts(connection);
    }

    /** Tools that their callers run. */
    public ExternalTools externalTools() {
        return new ExternalTools(connection);
    }

    /** The address of the gate, without the key. */
    @Override
    public String toString() {
        return "Toolgate[" + connection.url() + "]";
    }

    private <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, executor);
    }
}
