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

/** Enforces a session's allowed models and token budget for one turn of a conversation. */
final class Budget {
    private static final long UNLIMITED = Integer.MAX_VALUE;
    // Accepted by every recent model; thinking is added on top.
    private static final long DEFAULT_OUTPUT = 8192;
    private static final long MIN_THINKING = 1024;

    private final LlmPolicy policy;
    private final TokenMeter meter;
    private Usage used = Usage.NONE;
    private Usage last = Usage.NONE;
    private long reserved;

    Budget(LlmPolicy policy, TokenMeter meter) {
        this.policy = policy;
        this.meter = meter;
    }

    /** What this turn has used so far. */
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
     * Limits the answer of a request to what is left. In a session with a budget, the tokens of both are reserved until
     * the answer is {@linkplain #charge charged} or the reservation {@linkplain #release released}.
     */
    ChatRequest fit(ChatRequest request) throws Stopped {
        long input = TokenEstimate.of(request);
        if (policy.maxInputTokens() != null && input > policy.maxInputTokens()) {
            throw exceeded(
                    "The conversation is longer than the " + policy.maxInputTokens() + " tokens a request may have");
        }
        long output = maxOutput(request);
        if (output < 1) {
            throw exceeded("The session allows no output tokens");
        }
        if (policy.maxSessionTokens() != null) {
            reserved = meter.reserve(input + 1, input + output, policy.maxSessionTokens());
            if (reserved == 0) {
                throw exceeded("Too few of the session's " + policy.maxSessionTokens()
                        + " tokens are left, counting those reserved for answers in progress");
            }
            output = reserved - input;
        }
        return output == UNLIMITED ? request : request.withMaxTokens((int) output);
    }

    private long maxOutput(ChatRequest request) {
        long asked = request.maxTokens() == null ? UNLIMITED : request.maxTokens();
        long allowed = policy.maxOutputTokens() == null ? UNLIMITED : policy.maxOutputTokens();
        long output = Math.min(asked, Math.min(allowed, UNLIMITED));
        // Without a limit, one answer would reserve all that is left.
        return output == UNLIMITED && policy.maxSessionTokens() != null ? defaultOutput(request) : output;
    }

    private static long defaultOutput(ChatRequest request) {
        long thoughts = request.thinkingTokens() == null ? 0 : Math.max(MIN_THINKING, request.thinkingTokens());
        return Math.min(DEFAULT_OUTPUT + thoughts, UNLIMITED);
    }

    /** Releases the reservation of a request that was not sent. */
    void release() {
        settle(0);
    }

    /**
     * Charges what an answer used. Without a count, because the answer was cut off or the provider does not count,
     * usage is estimated and the whole reservation stays spent: cancelling in time must not make it free.
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

    /** Whether the model did nothing: it was not reached or refused to begin. A silent one may have been thinking. */
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

    /** Checks that another request is possible after this answer, so that running its tools makes sense. */
    void requireTokensLeft() throws Stopped {
        if (policy.maxInputTokens() != null && last.inputTokens() > policy.maxInputTokens()) {
            throw exceeded("The last request had more than the " + policy.maxInputTokens() + " tokens it may have");
        }
        if (policy.maxOutputTokens() != null && last.outputTokens() > policy.maxOutputTokens()) {
            throw exceeded("The last answer had more than the " + policy.maxOutputTokens() + " tokens it may have");
        }
        if (policy.maxSessionTokens() != null && meter.spent() >= policy.maxSessionTokens()) {
            throw exceeded("The session's " + policy.maxSessionTokens()
                    + " tokens are used up or reserved for answers in progress");
        }
    }

    private static Stopped exceeded(String what) {
        return new Stopped(ChatFailure.OfPolicy.of(ErrorCode.LLM_BUDGET_EXCEEDED, what + "."));
    }
}
