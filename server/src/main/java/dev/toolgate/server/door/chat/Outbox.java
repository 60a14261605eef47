package dev.toolgate.server.door.chat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What waits for one client. Whoever puts something in never waits: pieces of a text that wait together are joined, and
 * a client for which too much waits is given up.
 */
final class Outbox {
    static final int MOST_WAITING = 2_000;
    static final int MOST_CHARACTERS = 8 << 20;

    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();
    private final Map<String, Outgoing.Piece> lastOfConversation = new HashMap<>();
    private int characters;
    private boolean closed;

    /** What became of something put in. */
    enum Fate {
        WAITS,
        /** The client is too slow: nothing more is taken, and what waited is gone. */
        TOO_MUCH,
        /** It is not wanted any more. */
        CLOSED
    }

    synchronized Fate put(Outgoing next) {
        if (closed) {
            return Fate.CLOSED;
        }
        if (waiting.size() >= MOST_WAITING || tooLongWith(next)) {
            close();
            return Fate.TOO_MUCH;
        }
        characters += next.length();
        if (!joined(next)) {
            waiting.addLast(next);
        }
        notifyAll();
        return Fate.WAITS;
    }

    // One thing alone is let through whatever its length: it is here already, and nobody is slow yet.
    private boolean tooLongWith(Outgoing next) {
        return !waiting.isEmpty() && characters + next.length() > MOST_CHARACTERS;
    }

    private boolean joined(Outgoing next) {
        return switch (next) {
            case Outgoing.Whole whole -> {
                lastOfConversation.remove(whole.conversation());
                yield false;
            }
            case Outgoing.Goodbye _ -> false;
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
     * The next thing to send; empty if there was none for so long.
     *
     * @throws InterruptedException if nothing will come any more
     */
    synchronized Optional<Outgoing> take(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
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
        lastOfConversation.remove(next.conversation(), next); // from now on it grows no more
        return Optional.of(next);
    }

    /** Takes nothing more, and forgets what waits. */
    synchronized void close() {
        closed = true;
        waiting.clear();
        lastOfConversation.clear();
        characters = 0;
        notifyAll();
    }
}
