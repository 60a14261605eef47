package dev.toolgate.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Server-sent events. */
final class Events extends Spliterators.AbstractSpliterator<Events.Event> {
    private static final int LONGEST_EVENT = 8 * 1024 * 1024;

    private final InputStream input;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** An event with its name and its data. */
    record Event(String name, String data) {}

    private Events(InputStream input) {
        super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
        this.input = new BufferedInputStream(input);
    }

    /** The events as they arrive, until either side ends the stream; the caller must close it. */
    static Stream<Event> of(Connection connection, String path) {
        Request request = Request.get(path).with("Accept", "text/event-stream");
        Events events = new Events(connection.open(request).body());
        return StreamSupport.stream(events, false).onClose(events::close);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Event> action) {
        try {
            Event event = read();
            if (event == null) {
                close();
                return false;
            }
            action.accept(event);
            return true;
        } catch (IOException failure) {
            if (closed.get()) {
                return false;
            }
            throw new ConnectionFailedException("The event stream was interrupted.", failure);
        }
    }

    private @Nullable Event read() throws IOException {
        String name = "message";
        StringBuilder data = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                if (data.length() > 0) {
                    return new Event(name, data.substring(1));
                }
                name = "message";
            } else if (line.startsWith("event:")) {
                name = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:")) {
                data.append('\n').append(line.substring("data:".length()).stripLeading());
                if (data.length() > LONGEST_EVENT) {
                    throw new IOException("An event is too long");
                }
            }
        }
        return null;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0; next = input.read()) {
            if (next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(next);
            if (line.size() > LONGEST_EVENT) {
                throw new IOException("An event is too long");
            }
        }
        return null;
    }

    private void close() {
        closed.set(true);
        try {
            input.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
