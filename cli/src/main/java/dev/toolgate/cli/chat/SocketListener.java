package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Puts together what a server says over a WebSocket, and tells when it will say nothing more. */
final class SocketListener implements WebSocket.Listener {
    private static final int LONGEST = 16 * 1024 * 1024;
    private static final int GOING_AWAY = 1001;
    private static final int WITHOUT_A_WORD = 1006;

    private final ServerAddress server;
    private final Consumer<Happening> to;
    private final StringBuilder text = new StringBuilder();
    private boolean isDeaf;

    SocketListener(ServerAddress server, Consumer<Happening> to) {
        this.server = server;
        this.to = to;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence piece, boolean isLast) {
        text.append(piece);
        if (text.length() > LONGEST) {
            giveUp(socket, "the server at " + server + " says more at once than can be read; send the message again");
        } else if (isLast) {
            take(socket);
        } else {
            socket.request(1);
        }
        return null;
    }

    private void take(WebSocket socket) {
        try {
            hand(new Happening.Said(Json.MAPPER.readTree(text.toString())));
            text.setLength(0);
        } catch (JacksonException notJson) {
            giveUp(socket, "what answers at " + server + " is not a Toolgate server; check the address");
        }
    }

    private void giveUp(WebSocket socket, String why) {
        text.setLength(0);
        socket.abort();
        hand(new Happening.Gone(why));
    }

    /** Hands on nothing more: after this has returned, nobody hears of this connection again. */
    synchronized void shut() {
        isDeaf = true;
    }

    private synchronized void hand(Happening happening) {
        if (!isDeaf) {
            to.accept(happening);
            isDeaf = happening instanceof Happening.Gone;
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        hand(new Happening.Gone(
                switch (code) {
                    case GOING_AWAY ->
                        "the server at " + server + " has stopped; start it again and send the message once more";
                    case WITHOUT_A_WORD -> lost();
                    default ->
                        "the server at " + server + " has ended the connection" + because(PrintableText.of(reason));
                }));
        return null;
    }

    private static String because(String reason) {
        return reason.isBlank() ? "; see what 'toolgate health' says" : ": " + reason;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        hand(new Happening.Gone(lost()));
    }

    private String lost() {
        return "the connection to the server at " + server + " was lost; see what 'toolgate health' says";
    }
}
