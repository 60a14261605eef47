package dev.toolgate.server.identity;

import dev.toolgate.core.call.TenantId;
import org.jspecify.annotations.Nullable;

/** A log-in through the provider failed. The message is for operators, and contains nothing that the browser sent. */
public final class SignOnRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final SignOnProblem problem;
    private final transient @Nullable Who who;

    /** The person, if the provider has identified them. */
    public record Who(TenantId tenant, String name) {}

    SignOnRefused(SignOnProblem problem, String message, @Nullable Who who, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
        this.who = who;
    }

    SignOnRefused(SignOnProblem problem, String message) {
        this(problem, message, null, null);
    }

    public SignOnProblem problem() {
        return problem;
    }

    /** The person; null if not identified. */
    public @Nullable Who who() {
        return who;
    }
}
