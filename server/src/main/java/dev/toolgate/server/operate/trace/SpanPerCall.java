package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CurrentTrace;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.server.operate.metrics.ToolLabels;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One span per call, following the OpenTelemetry semantic conventions for generative AI. */
final class SpanPerCall implements CallTracing {
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    private static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    private static final AttributeKey<String> TYPE = AttributeKey.stringKey("gen_ai.tool.type");
    private static final AttributeKey<String> CALL = AttributeKey.stringKey("gen_ai.tool.call.id");
    private static final AttributeKey<String> AGENT = AttributeKey.stringKey("gen_ai.agent.id");
    private static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("gen_ai.conversation.id");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private static final TextMapGetter<String> HEADER = (value, name) -> name.equals("traceparent") ? value : null;

    private final Tracer tracer;
    private final ToolLabels names;
    private final CapturedContent content;

    SpanPerCall(Tracer tracer, ToolLabels names, CapturedContent content) {
        this.tracer = tracer;
        this.names = names;
        this.content = content;
    }

    @Override
    public Answer trace(Call call, @Nullable String traceparent, Supplier<Answer> work) {
        Span span = begin(call, traceparent);
        try (Scope _ = span.makeCurrent()) {
            Answer answer = CurrentTrace.within(traceparent(span.getSpanContext()), work);
            describe(span, call, answer.asOutcome());
            return answer;
        } finally {
            span.end();
        }
    }

    private static String traceparent(SpanContext span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getTraceFlags().asHex();
    }

    private Span begin(Call call, @Nullable String traceparent) {
        String tool = names.of(call.caller().tenant(), call.toolName());
        Span span = tracer.spanBuilder("execute_tool " + tool)
                .setParent(parent(traceparent))
                .setAttribute(OPERATION, "execute_tool")
                .setAttribute(TOOL, tool)
                .setAttribute(TYPE, "function")
                .setAttribute(CALL, call.requestId().value())
                .setAttribute(AGENT, call.caller().agent().value())
                .startSpan();
        ContextAttributes.add(call.context(), span::setAttribute);
        String conversation = conversation(call);
        return conversation == null ? span : span.setAttribute(CONVERSATION, conversation);
    }

    private static @Nullable String conversation(Call call) {
        SessionId session = call.caller().session();
        return call.context().conversationId() == null && session != null
                ? session.value()
                : call.context().conversationId();
    }

    private void describe(Span span, Call call, Outcome outcome) {
        switch (outcome) {
            case Outcome.Completed completed -> span.setStatus(StatusCode.OK);
            case Outcome.Failed failed -> failed(span, failed.failure());
            case Outcome.Refused refused -> failed(span, refused.failure());
        }
        if (!names.isConfidential(call.caller().tenant(), call.toolName())) {
            content.add(span, call, outcome);
        }
    }

    // Without the message, which may quote arguments.
    private static void failed(Span span, Failure failure) {
        span.setStatus(StatusCode.ERROR);
        span.setAttribute(ERROR, failure.code().name());
    }

    private static Context parent(@Nullable String traceparent) {
        return traceparent == null
                ? Context.root()
                : W3CTraceContextPropagator.getInstance().extract(Context.root(), traceparent, HEADER);
    }
}
