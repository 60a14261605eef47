package dev.toolgate.cli.chat;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a person types while other things go on. A line belongs to what the person saw when it was begun: a yes that
 * was typed for one question, or for none, never answers another.
 */
public final class Keyboard {
    private final Lines lines;
    private final Consumer<Happening> to;
    private @Nullable Wish reading;
    private boolean isForgotten;

    Keyboard(Lines lines, Consumer<Happening> to) {
        this.lines = lines;
        this.to = to;
    }

    /** Where lines come from. */
    public interface Lines {
        /** The next line, whenever it is finished; {@code null} at the end. */
        @Nullable
        String line() throws IOException;

        /** A line that came together with the last one; {@code null} if none did. */
        @Nullable
        String more() throws IOException;

        /** Drops what was typed and not read; whether that is certain also of a line that is not finished. */
        boolean drop() throws IOException;

        /** Whether the line may have been longer than this. */
        boolean isCut(String line);
    }

    /** What a line is wanted for. */
    static final class Wish {
        private final Purpose purpose;
        private final @Nullable Wish after;

        private Wish(Purpose purpose, @Nullable Wish after) {
            this.purpose = purpose;
            this.after = after;
        }
    }

    /** What lines are typed for. */
    enum Purpose {
        /** A message, which has several lines if they come together. */
        MESSAGE,
        /** One line, begun after it was asked for. */
        ANSWER
    }

    /** From where on a line counts. */
    enum Start {
        AT_ONCE,
        /** The line that may have been begun already must be finished first, and counts for nothing. */
        AFTER_ENTER
    }

    /**
     * Wants a line.
     *
     * @param ask asks the person; whatever was typed before an answer is asked for is gone by then
     */
    synchronized Wish read(Purpose purpose, Consumer<Start> ask) {
        if (reading == null ? isClean(purpose) : isForgotten && purpose == Purpose.MESSAGE) {
            Wish wish = new Wish(purpose, null);
            ask.accept(Start.AT_ONCE);
            begin(wish);
            return wish;
        }
        Wish inTheWay = reading == null ? new Wish(purpose, null) : reading;
        ask.accept(Start.AFTER_ENTER);
        begin(inTheWay);
        return new Wish(purpose, inTheWay);
    }

    /**
     * Another line came than the wished one. If it was the one in the way, this one's turn has come.
     *
     * @param ask asks the person, as in {@link #read}
     */
    synchronized void turnTo(Wish wish, Wish typed, Consumer<Start> ask) {
        if (reading == null && wish.after == typed) {
            // The person has pressed Enter since they were asked: what cannot be dropped was begun later.
            var _ = isClean(wish.purpose);
            ask.accept(Start.AT_ONCE);
            begin(wish);
        } else {
            ask.accept(reading == wish ? Start.AT_ONCE : Start.AFTER_ENTER);
        }
    }

    /** Whether a line that ends now is certain to be begun now, if that matters. */
    private boolean isClean(Purpose purpose) {
        try {
            return switch (purpose) {
                case MESSAGE -> true;
                case ANSWER -> lines.drop();
            };
        } catch (IOException unknown) {
            return false;
        }
    }

    private void begin(Wish wish) {
        boolean isAlreadyWaiting = reading != null;
        reading = wish;
        isForgotten = false;
        if (!isAlreadyWaiting) {
            Thread.ofPlatform().daemon().name("keyboard").start(this::take);
        }
    }

    /** Ctrl-C made the terminal forget what had been typed of a line, so that the next message gets a whole one. */
    synchronized void forget() {
        isForgotten = reading != null;
    }

    /** Whether the terminal has cut a line of this. */
    boolean wasCut(String message) {
        return message.lines().anyMatch(lines::isCut);
    }

    private void take() {
        try {
            String line = lines.line();
            // Not what was wanted when the reading began: after Ctrl-C at a question, this is a message.
            give(line != null && isWanted(Purpose.MESSAGE) ? withMore(line) : line);
        } catch (IOException unreadable) {
            give(null);
        }
    }

    private String withMore(String first) throws IOException {
        StringBuilder message = new StringBuilder(first);
        for (String more = lines.more(); more != null; more = lines.more()) {
            message.append('\n').append(more);
        }
        return message.toString();
    }

    private synchronized boolean isWanted(Purpose purpose) {
        return reading != null && reading.purpose == purpose;
    }

    private synchronized void give(@Nullable String line) {
        if (reading != null) {
            to.accept(new Happening.Typed(reading, line));
        }
        reading = null;
        isForgotten = false;
    }
}
