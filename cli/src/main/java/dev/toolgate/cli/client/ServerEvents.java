package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Events as the server sends them, until it ends the stream or nobody reads on. */
public final class ServerEvents implements AutoCloseable {
    private final BufferedReader lines;

    public ServerEvents(InputStream stream) {
        lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** Takes one event. */
    public interface Taker {
        void take(String event, String data) throws IOException;
    }

    /**
     * Hands over every event.
     *
     * @param out where the taker prints; once nobody reads there, this returns
     * @throws IOException with one sentence when the server has ended the stream
     */
    public void read(PrintWriter out, Taker taker) throws IOException {
        String event = "";
        StringBuilder data = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event:")) {
                event = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                if (event.equals("cut")) {
                    throw new IOException("the server has ended the stream: " + PrintableText.of(data.toString()));
                }
                taker.take(event, data.toString());
                event = "";
                data.setLength(0);
            }
            if (out.checkError()) {
                return; // nobody reads on
            }
        }
        throw new IOException("the server has ended the stream; see what 'toolgate health' says");
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
