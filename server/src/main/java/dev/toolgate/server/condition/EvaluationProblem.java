package dev.toolgate.server.condition;

import dev.cel.runtime.CelEvaluationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition cannot be evaluated for a call. The message never contains a value of the call, because it ends up in
 * responses and logs; the library's own messages do.
 */
final class EvaluationProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Pattern MISSING_KEY = Pattern.compile("key '([^']{1,100})' is not present");

    EvaluationProblem(String message) {
        super(message, null, false, false);
    }

    static EvaluationProblem of(CelEvaluationException cause, String condition) {
        if (cause.getCause() instanceof EvaluationProblem ours) {
            return ours;
        }
        return new EvaluationProblem(
                switch (cause.getErrorCode()) {
                    case ATTRIBUTE_NOT_FOUND -> missing(String.valueOf(cause.getMessage()), condition);
                    case INDEX_OUT_OF_BOUNDS -> "a list has no such element";
                    case DIVIDE_BY_ZERO -> "a division by zero";
                    case NUMERIC_OVERFLOW -> "a number is too large";
                    case ITERATION_BUDGET_EXCEEDED -> "it needs too many loop iterations";
                    case OVERLOAD_NOT_FOUND, AMBIGUOUS_OVERLOAD ->
                        "a value has a different type than the condition expects";
                    case BAD_FORMAT, INVALID_ARGUMENT -> "a value has a different format than the condition expects";
                    case DUPLICATE_ATTRIBUTE, TYPE_NOT_FOUND, INTERNAL_ERROR -> "it could not be evaluated";
                });
    }

    // A key can be a value of the call, so it is named only if the condition itself contains it.
    private static String missing(String message, String condition) {
        Matcher key = MISSING_KEY.matcher(message);
        return key.find() && condition.contains(key.group(1))
                ? "there is no '" + key.group(1) + "'"
                : "there is no such key";
    }
}
