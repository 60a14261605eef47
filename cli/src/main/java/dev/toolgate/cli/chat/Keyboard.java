package dev.toolgate.cli.chat;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed lines in the background. A line belongs to the prompt that was on the screen when it was begun, so that a
 * yes typed for one question, or before any, never answers another.
 */
public final class Keyboard {
    private final Lines lines;
    private final Consumer<TerminalEvent> events;
    private @Nullable LineRequest reading;
    private boolean lineDiscarded;

    Keyboard(Lines lines, Consumer<TerminalEvent> events) {
        this.lines = lines;
        this.events = events;
    }

    /** The source of lines. */
    public interface Lines {
        /** Blocks for the next line; {@code null} at the end of input. */
        @Nullable
        String line() throws IOException;

        /** A line that was pasted together with the last one; {@code null} if there is none. */
        @Nullable
        String more() throws IOException;

        /** Drops unread input; true if that certainly includes an unfinished line. */
        boolean drop() throws IOException;

        /** Whether the terminal may have truncated the line. */
        boolean isCut(String line);
    }

    /** A request for a line. */
    static final class LineRequest {
        private final Purpose purpose;
        private final @Nullable LineRequest after;

        private LineRequest(Purpose purpose, @Nullable LineRequest after) {
            this.purpose = purpose;
            this.after = after;
        }
    }

    /** The purpose of a line. */
    enum Purpose {
        /** A message, which has several lines if they are pasted together. */
        MESSAGE,
        /** One line that must be begun after the prompt. */
        ANSWER
    }

    /** When a line starts to count. */
    enum Start {
        IMMEDIATELY,
        /** A line that may have been begun already must be finished first and is ignored. */
        AFTER_ENTER
    }

    /**
     * Requests a line.
     *
     * @param ask shows the prompt; for an answer, earlier input has been dropped by then
     */
    synchronized LineRequest read(Purpose purpose, Consumer<Start> ask) {
        if (reading == null ? isClean(purpose) : lineDiscarded && purpose == Purpose.MESSAGE) {
            LineRequest request = new LineRequest(purpose, null);
            ask.accept(Start.IMMEDIATELY);
            begin(request);
            return request;
        }
        LineRequest pending = reading == null ? new LineRequest(purpose, null) : reading;
        ask.accept(Start.AFTER_ENTER);
        begin(pending);
        return new LineRequest(purpose, pending);
    }

    /**
     * A line of another request came; if this request was waiting for it, it is next.
     *
     * @param ask shows the prompt, as in {@link #read}
     */
    synchronized void advance(LineRequest request, LineRequest typed, Consumer<Start> ask) {
        if (reading == null && request.after == typed) {
            // The user has pressed Enter since the prompt, so anything that cannot be dropped was begun later.
            var _ = isClean(request.purpose);
            ask.accept(Start.IMMEDIATELY);
            begin(request);
        } else {
            ask.accept(reading == request ? Start.IMMEDIATELY : Start.AFTER_ENTER);
        }
    }

    /** Whether the next line is certain to begin after this point, if the purpose needs that. */
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

    private void begin(LineRequest request) {
        boolean isAlreadyWaiting = reading != null;
        reading = request;
        lineDiscarded = false;
        if (!isAlreadyWaiting) {
            Thread.ofPlatform().daemon().name("keyboard").start(this::take);
        }
    }

    /** Ctrl-C discarded the unfinished line in the terminal, so the next message is a complete line. */
    synchronized void discardLine() {
        lineDiscarded = reading != null;
    }

    /** Whether the terminal has truncated a line of this message. */
    boolean wasCut(String message) {
        return message.lines().anyMatch(lines::isCut);
    }

    private void take() {
        try {
            String line = lines.line();
            // The purpose is read now, not when reading began: after Ctrl-C at a question, this line is a message.
            deliver(line != null && isWanted(Purpose.MESSAGE) ? withMore(line) : line);
        } catch (IOException unreadable) {
            deliver(null);
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

    private synchronized void deliver(@Nullable String line) {
        if (reading != null) {
            events.accept(new TerminalEvent.LineTyped(reading, line));
        }
        reading = null;
        lineDiscarded = false;
    }
}
