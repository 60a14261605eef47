package dev.toolgate.tools.github;

import dev.toolgate.core.tool.ToolFailure;

/**
 * Carries the end of a call through the library. It is unchecked because the library waits and tries again after
 * exceptions it knows.
 */
final class GitHubRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ToolFailure failure;

    GitHubRefusal(ToolFailure failure) {
        super(failure.getMessage(), null, false, false);
        this.failure = failure;
    }

    ToolFailure failure() {
        return failure;
    }

    /** The call was interrupted. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Interrupted() {
            super("The call was interrupted", null, false, false);
        }
    }
}
