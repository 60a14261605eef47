package dev.toolgate.server.cli.remote;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a person types while other things go on. A line belongs to what the person saw when it was begun: a yes that
 * was typed for one question never answers another.
 */
final class Keyboard {
    private final Lines lines;
    private final Consumer<Happening> to;
    private @Nullable Wish reading;
    private @Nullable Wish next;
    private boolean isForgotten;

    Keyboard(Lines lines, Consumer<Happening> to) {
        this.lines = lines;
        this.to = to;
    }

    /** Where lines come from. */
    interface Lines {
        /** A message, which may have several lines if they come at once; {@code null} at the end. */
        @Nullable
        String message() throws IOException;

        /** One line, begun after this was called; {@code null} at the end. */
        @Nullable
        String answer() throws IOException;
    }

    /** What a line is wanted for. */
    static final class Wish {
        private final Purpose purpose;

        private Wish(Purpose purpose) {
            this.purpose = purpose;
        }
    }

    /** What lines are typed for. */
    enum Purpose {
        MESSAGE,
        ANSWER
    }

    /** Wants a line. One that is being typed for an earlier wish must be finished first. */
    synchronized Wish read(Purpose purpose) {
        Wish wish = new Wish(purpose);
        if (reading == null) {
            reading = wish;
            Thread.ofPlatform().daemon().name("keyboard").start(() -> readFrom(wish));
        } else if (isForgotten) {
            reading = wish;
        } else {
            next = wish;
        }
        isForgotten = false;
        return wish;
    }

    /** Ctrl-C made the terminal forget what had been typed of a line, so that the next wish gets a whole one. */
    synchronized void forget() {
        isForgotten = reading != null;
    }

    /** Whether somebody may be in the middle of a line. */
    synchronized boolean isReading() {
        return reading != null && !isForgotten;
    }

    private void readFrom(Wish first) {
        @Nullable Wish wish = first;
        while (wish != null) {
            wish = give(line(wish.purpose));
        }
    }

    private @Nullable String line(Purpose purpose) {
        try {
            return switch (purpose) {
                case MESSAGE -> lines.message();
                case ANSWER -> lines.answer();
            };
        } catch (IOException unreadable) {
            return null;
        }
    }

    /** Hands a line over; the next wish, if there is one already. */
    private synchronized @Nullable Wish give(@Nullable String line) {
        if (reading != null) {
            to.accept(new Happening.Typed(reading, line));
        }
        reading = next;
        next = null;
        isForgotten = false;
        return reading;
    }
}
