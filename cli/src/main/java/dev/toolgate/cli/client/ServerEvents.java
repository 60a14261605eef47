package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Reads server-sent events. */
public final class ServerEvents implements AutoCloseable {
    private final BufferedReader lines;

    public ServerEvents(InputStream stream) {
        lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** Handles one event. */
    public interface EventHandler {
        void handle(String event, String data) throws IOException;
    }

    /**
     * Reads all events.
     *
     * @param out where the handler prints; reading ends when writing to it fails
     * @throws IOException when the server ends the stream
     */
    public void read(PrintWriter out, EventHandler handler) throws IOException {
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
                handler.handle(event, data.toString());
                event = "";
                data.setLength(0);
            }
            if (out.checkError()) {
                return; // the reader of the output is gone
            }
        }
        throw new IOException("the server has ended the stream; see what 'toolgate health' says");
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
