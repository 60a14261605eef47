package dev.toolgate.chat.loop;

/** The loop cannot go on. */
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
