package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events as the HTML standard defines them. */
public final class ServerEvents implements AutoCloseable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final BufferedReader lines;

    public ServerEvents(InputStream stream) {
        lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** Handles one event. */
    public interface EventHandler {
        void handle(String event, String data) throws IOException;
    }

    /**
     * Reads all events; one that is incomplete at the end of the stream is dropped.
     *
     * @param out where the handler prints; reading ends when writing to it fails
     * @throws IOException when the server ends the stream
     */
    public void read(PrintWriter out, EventHandler handler) throws IOException {
        String event = "";
        @Nullable StringBuilder data = null;
        for (String line = firstLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (data != null) {
                    dispatch(event, data.toString(), handler);
                }
                event = "";
                data = null;
            } else if (name(line).equals("event")) {
                event = value(line);
            } else if (name(line).equals("data")) {
                data = data == null ? new StringBuilder() : data.append('\n');
                data.append(value(line));
            }
            if (out.checkError()) {
                return; // the reader of the output is gone
            }
        }
        throw new IOException("the server has ended the stream; see what 'toolgate health' says");
    }

    private @Nullable String firstLine() throws IOException {
        String line = lines.readLine();
        return line != null && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line;
    }

    /** The name of a field; empty for a comment. */
    private static String name(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? line : line.substring(0, colon);
    }

    private static String value(String line) {
        int colon = line.indexOf(':');
        String value = colon < 0 ? "" : line.substring(colon + 1);
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    private static void dispatch(String event, String data, EventHandler handler) throws IOException {
        if (event.equals("cut")) {
            throw new IOException("the server has ended the stream: " + PrintableText.of(data));
        }
        handler.handle(event, data);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
