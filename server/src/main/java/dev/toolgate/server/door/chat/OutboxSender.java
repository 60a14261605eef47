package dev.toolgate.server.door.chat;

import dev.toolgate.http.socket.SocketPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Sends the queued messages of one client until it disconnects. */
record OutboxSender(Outbox outbox, SocketPeer peer, Runnable onGone) implements Runnable {
    private static final Duration PING_INTERVAL = Duration.ofSeconds(20);

    @Override
    public void run() {
        try {
            while (deliver(outbox.take(PING_INTERVAL))) {
                // until the connection is closed
            }
        } catch (IOException gone) {
            onGone.run();
        } catch (InterruptedException stopped) {
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
            case Outgoing.Close close -> {
                peer.close(close.reason());
                return false;
            }
        }
        return true;
    }
}
