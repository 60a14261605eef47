package dev.toolgate.chat.loop;

/** Ends the loop with a failure. */
final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ChatFailure failure;

    Stopped(ChatFailure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    ChatFailure failure() {
        return failure;
    }
}
