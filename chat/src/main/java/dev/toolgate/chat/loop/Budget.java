package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ModelAnswer;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.LlmPolicy;
import org.jspecify.annotations.Nullable;

/** Keeps one turn of a conversation within the models and the tokens of its session. */
final class Budget {
    private static final long UNLIMITED = Integer.MAX_VALUE;
    // As much as every model of the last years takes, and thoughts beside it.
    private static final long USUAL_OUTPUT = 8192;
    private static final long LEAST_THINKING = 1024;

    private final LlmPolicy policy;
    private final TokenMeter meter;
    private Usage used = Usage.NONE;
    private Usage last = Usage.NONE;
    private long reserved;

    Budget(LlmPolicy policy, TokenMeter meter) {
        this.policy = policy;
        this.meter = meter;
    }

    /** What this turn of the conversation has used. */
    Usage used() {
        return used;
    }

    void allow(String model) throws Stopped {
        if (policy.allowedModels() != null && !policy.allowedModels().contains(model)) {
            throw new Stopped(ChatFailure.OfPolicy.of(
                    ErrorCode.CAPABILITY_DENIED,
                    "The session may not use the model " + model + "; it may use "
                            + (policy.allowedModels().isEmpty() ? "none" : String.join(", ", policy.allowedModels()))
                            + "."));
        }
    }

    /**
     * The request with an answer no longer than what is left, if anything is left. Of a session with a budget, the tokens
     * of both are set aside until the answer is {@linkplain #charge charged} or the request {@linkplain #drop dropped}.
     */
    ChatRequest fit(ChatRequest request) throws Stopped {
        long input = TokenEstimate.of(request);
        if (policy.maxInputTokens() != null && input > policy.maxInputTokens()) {
            throw exceeded(
                    "The conversation is longer than the " + policy.maxInputTokens() + " tokens a request may have");
        }
        long output = longest(request);
        if (output < 1) {
            throw exceeded("The session allows no output tokens");
        }
        if (policy.maxSessionTokens() != null) {
            reserved = meter.reserve(input + 1, input + output, policy.maxSessionTokens());
            if (reserved == 0) {
                throw exceeded("Too few of the session's " + policy.maxSessionTokens()
                        + " tokens are left beside those set aside for answers that are still coming");
            }
            output = reserved - input;
        }
        return output == UNLIMITED ? request : request.upTo((int) output);
    }

    private long longest(ChatRequest request) {
        long asked = request.maxTokens() == null ? UNLIMITED : request.maxTokens();
        long allowed = policy.maxOutputTokens() == null ? UNLIMITED : policy.maxOutputTokens();
        long output = Math.min(asked, Math.min(allowed, UNLIMITED));
        // Without a limit, one answer would set aside all that is left.
        return output == UNLIMITED && policy.maxSessionTokens() != null ? usual(request) : output;
    }

    private static long usual(ChatRequest request) {
        long thoughts = request.thinkingTokens() == null ? 0 : Math.max(LEAST_THINKING, request.thinkingTokens());
        return Math.min(USUAL_OUTPUT + thoughts, UNLIMITED);
    }

    /** Gives back what was set aside for a request that nobody was asked. */
    void drop() {
        settle(0);
    }

    /**
     * Counts what an answer took. What nobody has counted, because the answer was cut off or the provider does not
     * count, is estimated, and what was set aside for it stays spent: cancelling in time must not make it free.
     */
    void charge(ChatRequest request, ModelAnswer answer) {
        Usage counted = counted(answer);
        Usage usage = counted == null ? estimated(request, answer) : counted;
        used = used.plus(usage);
        last = usage;
        settle(counted != null || isRefused(answer) ? usage.total() : Math.max(reserved, usage.total()));
    }

    private static @Nullable Usage counted(ModelAnswer answer) {
        StreamChunk.End end = answer.end();
        return end == null || end.usage().total() == 0 ? null : end.usage();
    }

    private static Usage estimated(ChatRequest request, ModelAnswer answer) {
        Message.Assistant message = answer.message();
        return answer.end() == null && message.blocks().isEmpty()
                ? Usage.NONE
                : new Usage(TokenEstimate.of(request), TokenEstimate.of(message));
    }

    /** Whether the model did nothing: it was not reached, or would not begin. One that is silent may be thinking. */
    private static boolean isRefused(ModelAnswer answer) {
        ProviderFailure failure = answer.failure();
        if (failure == null || answer.begun()) {
            return false;
        }
        return switch (failure.kind()) {
            case UNAUTHORISED, RATE_LIMITED, OVERLOADED, UNAVAILABLE, REJECTED -> true;
            case TRUNCATED, MALFORMED, TOO_LARGE, IDLE_TIMEOUT, CANCELLED -> false;
        };
    }

    private void settle(long taken) {
        long held = reserved;
        reserved = 0;
        if (taken != held) {
            meter.settle(held, taken);
        }
    }

    /** Whether there may be another request after this answer, and so any use in running its tools. */
    void goOn() throws Stopped {
        if (policy.maxInputTokens() != null && last.inputTokens() > policy.maxInputTokens()) {
            throw exceeded("The last request had more than the " + policy.maxInputTokens() + " tokens it may have");
        }
        if (policy.maxOutputTokens() != null && last.outputTokens() > policy.maxOutputTokens()) {
            throw exceeded("The last answer had more than the " + policy.maxOutputTokens() + " tokens it may have");
        }
        if (policy.maxSessionTokens() != null && meter.spent() >= policy.maxSessionTokens()) {
            throw exceeded("The session's " + policy.maxSessionTokens()
                    + " tokens are used up or set aside for answers that are still coming");
        }
    }

    private static Stopped exceeded(String what) {
        return new Stopped(ChatFailure.OfPolicy.of(ErrorCode.LLM_BUDGET_EXCEEDED, what + "."));
    }
}
