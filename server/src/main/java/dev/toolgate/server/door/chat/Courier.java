package dev.toolgate.server.door.chat;

import dev.toolgate.http.socket.SocketPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Sends to one client what waits for it, until it is gone. */
record Courier(Outbox outbox, SocketPeer peer, Runnable onGone) implements Runnable {
    private static final Duration UNTIL_SIGN_OF_LIFE = Duration.ofSeconds(20);

    @Override
    public void run() {
        try {
            while (deliver(outbox.take(UNTIL_SIGN_OF_LIFE))) {
                // until there is nothing more to deliver
            }
        } catch (IOException gone) {
            onGone.run();
        } catch (InterruptedException over) {
            // the outbox was closed
        }
    }

    private boolean deliver(Optional<Outgoing> next) throws IOException, InterruptedException {
        if (next.isEmpty()) {
            peer.ping();
            return true;
        }
        switch (next.get()) {
            case Outgoing.Whole whole -> peer.send(whole.message());
            case Outgoing.Piece piece -> peer.send(piece.message());
            case Outgoing.Goodbye goodbye -> {
                peer.close(goodbye.reason());
                return false;
            }
        }
        return true;
    }
}
