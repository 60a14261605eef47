package dev.toolgate.bench.chat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A client with the WebSocket of {@code java.net.http}. */
final class JdkSocketClient implements SocketClient {
    private final WebSocket socket;
    private final BlockingQueue<Seen> seen;

    private JdkSocketClient(WebSocket socket, BlockingQueue<Seen> seen) {
        this.socket = socket;
        this.seen = seen;
    }

    static JdkSocketClient connect(HttpClient http, int port, String key) {
        BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
        return new JdkSocketClient(open(http, port, key, new Whole(seen)), seen);
    }

    static WebSocket open(HttpClient http, int port, String key, WebSocket.Listener listener) {
        return http.newWebSocketBuilder()
                .header("Authorization", "Bearer " + key)
                .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), listener)
                .join();
    }

    @Override
    public void send(String message) {
        var _ = socket.sendText(message, true).join();
    }

    @Override
    public Seen next() throws IOException, InterruptedException {
        return seen.take();
    }

    @Override
    public void close() {
        socket.abort();
    }

    private static final class Whole implements WebSocket.Listener {
        private final BlockingQueue<Seen> seen;
        private final StringBuilder message = new StringBuilder();

        Whole(BlockingQueue<Seen> seen) {
            this.seen = seen;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            long now = System.nanoTime();
            message.append(data);
            if (last) {
                seen.add(new Seen(now, message.toString()));
                message.setLength(0);
            }
            webSocket.request(1);
            return null;
        }
    }
}
