package dev.toolgate.tools.github;

import dev.toolgate.core.tool.ToolFailure;

/** Carries a failure through the GitHub library. Unchecked, because the library retries after exceptions it knows. */
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
