package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.CurrentTrace;
import dev.toolgate.core.call.ToolLog;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.MetaKeys;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A call to a server: forwards cancellation, progress and input requests, and converts failures to tool failures.
 *
 * @param tool the name of the tool at the gate
 */
record UpstreamCall(Upstream upstream, String tool, CallTimeout timeout) {
    private static final Duration HEAD_START = Duration.ofMillis(200);

    /** The limit for the pipeline, which takes effect only if the client's own does not. */
    static Duration pipelineLimit(CallTimeout timeout) {
        return timeout.max().plusSeconds(5);
    }

    /** Sends a request to the server. */
    @FunctionalInterface
    interface Request {
        ObjectNode send(CallOptions options) throws McpFailure, ToolFailure;
    }

    ObjectNode send(ToolContext context, Request request) throws ToolFailure, InterruptedException {
        CallCancellation cancelled = new CallCancellation();
        Runnable pass = () -> cancelled.cancel("The caller cancelled the call.");
        Cancellation cancellation = context.call().cancellation();
        cancellation.onCancel(pass);
        try {
            return request.send(options(context, cancelled));
        } catch (McpFailure failed) {
            // An interrupt comes from the pipeline, which knows its reason.
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw UpstreamFailure.of(upstream, tool, failed);
        } finally {
            cancellation.forget(pass);
        }
    }

    private CallOptions options(ToolContext context, CallCancellation cancelled) {
        CallOptions options = CallOptions.DEFAULT.withTimeout(within(context)).withCancellation(cancelled);
        ObjectNode meta = JsonNodeFactory.instance.objectNode();
        // The gate's own span, never the caller's value, which neither approvers nor readers of the audit log would
        // see.
        CurrentTrace.traceparent().ifPresent(span -> meta.put(MetaKeys.TRACE_PARENT, span));
        CallListener listener = context.call().listener();
        if (listener.equals(CallListener.NONE)) {
            return meta.isEmpty() ? options : options.withMeta(meta);
        }
        // All levels; they are filtered where the caller sets its own level.
        meta.put(MetaKeys.LOG_LEVEL, LogLevel.DEBUG.wireName());
        return options.withProgress(new ProgressRelay(context))
                .withLog(params -> log(context, params))
                .withMeta(meta)
                .withInput(new CallerInput(context), new ClientCapabilities(listener.answerable()));
    }

    private static void log(ToolContext context, ObjectNode params) {
        JsonNode logger = params.path("logger");
        context.log(new ToolLog(
                params.path("level").asString(""),
                logger.isString() ? logger.stringValue() : null,
                params.path("data")));
    }

    // A little less than the pipeline allows, so that the request is cancelled and the server pinged before the
    // interrupt.
    private CallTimeout within(ToolContext context) {
        Duration bound = context.bounds().timeout();
        if (bound == null || bound.compareTo(timeout.max()) > 0) {
            return timeout;
        }
        Duration tenth = bound.dividedBy(10);
        Duration max = bound.minus(tenth.compareTo(HEAD_START) < 0 ? tenth : HEAD_START);
        return new CallTimeout(max.compareTo(timeout.idle()) < 0 ? max : timeout.idle(), max);
    }
}
