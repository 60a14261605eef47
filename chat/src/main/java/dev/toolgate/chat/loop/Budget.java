package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Answer;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.LlmPolicy;

/** Keeps one turn of a conversation within the models and the tokens of its session. */
final class Budget {
    private final LlmPolicy policy;
    private final TokenMeter meter;
    private Usage used = Usage.NONE;
    private Usage last = Usage.NONE;

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

    /** The request with an answer no longer than what is left, if anything is left. */
    ChatRequest fit(ChatRequest request) throws Stopped {
        long input = TokenEstimate.of(request);
        if (policy.maxInputTokens() != null && input > policy.maxInputTokens()) {
            throw exceeded(
                    "The conversation is longer than the " + policy.maxInputTokens() + " tokens a request may have");
        }
        long output = request.maxTokens() == null ? Long.MAX_VALUE : request.maxTokens();
        if (policy.maxOutputTokens() != null) {
            output = Math.min(output, policy.maxOutputTokens());
        }
        if (policy.maxSessionTokens() != null) {
            output = Math.min(output, policy.maxSessionTokens() - meter.spent() - input);
        }
        if (output < 1) {
            throw exceeded(
                    policy.maxSessionTokens() == null
                            ? "The session allows no output tokens"
                            : "Too few of the session's " + policy.maxSessionTokens() + " tokens are left");
        }
        return output >= Integer.MAX_VALUE ? request : request.upTo((int) output);
    }

    /**
     * Counts what an answer took. What nobody has counted, because the answer was cut off or the provider does not
     * count, is estimated: cancelling in time must not make it free.
     */
    void charge(ChatRequest request, Answer answer) {
        Message.Assistant message = answer.message();
        StreamChunk.End end = answer.end();
        if (end == null && message.blocks().isEmpty()) {
            return;
        }
        Usage usage = end == null || end.usage().total() == 0
                ? new Usage(TokenEstimate.of(request), TokenEstimate.of(message))
                : end.usage();
        used = used.plus(usage);
        meter.spend(usage);
        last = usage;
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
            throw exceeded("The session has used its " + policy.maxSessionTokens() + " tokens");
        }
    }

    private static Stopped exceeded(String what) {
        return new Stopped(ChatFailure.OfPolicy.of(ErrorCode.LLM_BUDGET_EXCEEDED, what + "."));
    }
}
