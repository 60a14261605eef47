package dev.toolgate.server.door.chat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The queue of messages to one client. Adding never blocks: consecutive pieces of a text are joined, and a client whose
 * queue is full is disconnected.
 */
final class Outbox {
    static final int MAX_WAITING = 2_000;
    static final int MAX_CHARACTERS = 8 << 20;

    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
    private final Map<String, Outgoing.Piece> lastOfConversation = new HashMap<>();
    private int characters;
    private boolean closed;

    /** The result of adding a message. */
    enum PutResult {
        QUEUED,
        /** The client is too slow: the queue is closed and emptied. */
        OVERFLOW,
        /** The queue was closed before. */
        CLOSED
    }

    synchronized PutResult put(Outgoing next) {
        if (closed) {
            return PutResult.CLOSED;
        }
        if (waiting.size() >= MAX_WAITING || tooLongWith(next)) {
            close();
            return PutResult.OVERFLOW;
        }
        characters += next.length();
        if (!joined(next)) {
            waiting.addLast(next);
        }
        notifyAll();
        return PutResult.QUEUED;
    }

    // A single message is accepted whatever its length: it is in memory already, and the client is not slow yet.
    private boolean tooLongWith(Outgoing next) {
        return !waiting.isEmpty() && characters + next.length() > MAX_CHARACTERS;
    }

    private boolean joined(Outgoing next) {
        return switch (next) {
            case Outgoing.Whole whole -> {
                lastOfConversation.remove(whole.conversation());
                yield false;
            }
            case Outgoing.Close _ -> false;
            case Outgoing.Piece piece -> {
                Outgoing.Piece last = lastOfConversation.get(piece.conversation());
                if (last != null && last.absorb(piece)) {
                    yield true;
                }
                lastOfConversation.put(piece.conversation(), piece);
                yield false;
            }
        };
    }

    /**
     * The next message to send; empty if there was none within the time-out.
     *
     * @throws InterruptedException if the queue is closed
     */
    synchronized Optional<Outgoing> take(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (waiting.isEmpty()) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (closed) {
                throw new InterruptedException("The outbox is closed.");
            }
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
        Outgoing next = waiting.removeFirst();
        characters -= next.length();
        lastOfConversation.remove(next.conversation(), next); // it is being sent, so nothing may be joined to it
        return Optional.of(next);
    }

    /** Closes and empties the queue. */
    synchronized void close() {
        closed = true;
        waiting.clear();
        lastOfConversation.clear();
        characters = 0;
        notifyAll();
    }
}
