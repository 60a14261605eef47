package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.server.operate.metrics.ToolLabels;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The events of calls as OpenTelemetry log records, without arguments and results. */
final class LogPerEvent implements CallEvents {
    private final Logger logger;
    private final ToolLabels names;

    LogPerEvent(Logger logger, ToolLabels names) {
        this.logger = logger;
        this.names = names;
    }

    @Override
    public void requested(Call call) {
        event("tool_requested", call).emit();
    }

    @Override
    public void completed(Call call, Outcome outcome, Duration took) {
        LogRecordBuilder event = event("tool_completed", call)
                .setAttribute("status", status(outcome))
                .setAttribute("duration_ms", took.toMillis());
        add(event, "error.type", error(outcome));
        event.emit();
    }

    private LogRecordBuilder event(String name, Call call) {
        LogRecordBuilder event = logger.logRecordBuilder()
                .setEventName(name)
                .setSeverity(Severity.INFO)
                .setAttribute("tenant_id", call.caller().tenant().value())
                .setAttribute("gen_ai.agent.id", call.caller().agent().value())
                .setAttribute("gen_ai.tool.name", names.of(call.caller().tenant(), call.toolName()))
                .setAttribute("gen_ai.tool.call.id", call.requestId().value())
                .setAttribute("workspace_id", call.caller().workspace().value());
        add(
                event,
                "session_id",
                call.caller().session() == null ? null : call.caller().session().value());
        ContextAttributes.add(call.context(), event::setAttribute);
        return event;
    }

    private static void add(LogRecordBuilder event, String name, @Nullable String value) {
        if (value != null) {
            event.setAttribute(name, value);
        }
    }

    private static String status(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed ->
                completed.output().verdict() == Output.Verdict.OK ? "succeeded" : "failed";
            case Outcome.Failed failed -> "failed";
            case Outcome.Refused refused -> "denied";
        };
    }

    // Without the message, which may quote arguments.
    private static @Nullable String error(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed ->
                completed.output().verdict() == Output.Verdict.OK ? null : ErrorCode.TOOL_EXECUTION_FAILED.name();
            case Outcome.Failed failed -> failed.failure().code().name();
            case Outcome.Refused refused -> refused.failure().code().name();
        };
    }
}
