package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Assembles the server's messages from WebSocket frames and reports the disconnection. */
final class SocketListener implements WebSocket.Listener {
    private static final int MAX_MESSAGE_CHARACTERS = 16 * 1024 * 1024;
    private static final int GOING_AWAY = 1001;
    private static final int ABNORMAL_CLOSURE = 1006;

    private final ServerAddress server;
    private final Consumer<TerminalEvent> events;
    private final StringBuilder text = new StringBuilder();
    private boolean closed;

    SocketListener(ServerAddress server, Consumer<TerminalEvent> events) {
        this.server = server;
        this.events = events;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence piece, boolean last) {
        text.append(piece);
        if (text.length() > MAX_MESSAGE_CHARACTERS) {
            fail(socket, "the server at " + server + " sent a message that is too large; send yours again");
        } else if (last) {
            deliverMessage(socket);
        } else {
            socket.request(1);
        }
        return null;
    }

    private void deliverMessage(WebSocket socket) {
        try {
            deliver(new TerminalEvent.ServerMessage(Json.MAPPER.readTree(text.toString())));
            text.setLength(0);
        } catch (JacksonException notJson) {
            fail(socket, "the program at " + server + " is not a Toolgate server; check the address");
        }
    }

    private void fail(WebSocket socket, String why) {
        text.setLength(0);
        socket.abort();
        deliver(new TerminalEvent.Disconnected(why));
    }

    /** Stops delivering events; none is delivered after this returns. */
    synchronized void close() {
        closed = true;
    }

    private synchronized void deliver(TerminalEvent event) {
        if (!closed) {
            events.accept(event);
            closed = event instanceof TerminalEvent.Disconnected;
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        deliver(new TerminalEvent.Disconnected(
                switch (code) {
                    case GOING_AWAY ->
                        "the server at " + server + " has stopped; restart it and send the message again";
                    case ABNORMAL_CLOSURE -> connectionLost();
                    default ->
                        "the server at " + server + " closed the connection" + reasonOrHint(PrintableText.of(reason));
                }));
        return null;
    }

    private static String reasonOrHint(String reason) {
        return reason.isBlank() ? "; see what 'toolgate health' says" : ": " + reason;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        deliver(new TerminalEvent.Disconnected(connectionLost()));
    }

    private String connectionLost() {
        return "the connection to the server at " + server + " was lost; see what 'toolgate health' says";
    }
}
