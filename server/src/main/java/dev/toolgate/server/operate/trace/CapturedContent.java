package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.redact.Redactor;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;

/** Adds arguments and results to a span. */
interface CapturedContent {
    /** Adds nothing. */
    CapturedContent NONE = (span, call, outcome) -> {};

    AttributeKey<String> ARGUMENTS = AttributeKey.stringKey("gen_ai.tool.call.arguments");
    AttributeKey<String> RESULT = AttributeKey.stringKey("gen_ai.tool.call.result");
    int MAX_LENGTH = 8192;

    void add(Span span, Call call, Outcome outcome);

    /** Adds both, truncated and with secrets masked. */
    static CapturedContent cleanedBy(Redactor redactor) {
        return (span, call, outcome) -> {
            span.setAttribute(ARGUMENTS, cut(redactor.clean(call.arguments()).toString()));
            switch (outcome) {
                case Outcome.Completed completed ->
                    span.setAttribute(
                            RESULT, cut(redactor.clean(completed.output().text())));
                case Outcome.Failed failed ->
                    span.setAttribute(
                            RESULT, cut(redactor.clean(failed.failure().message())));
                case Outcome.Refused refused ->
                    span.setAttribute(
                            RESULT, cut(redactor.clean(refused.failure().message())));
            }
        };
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    }
}
