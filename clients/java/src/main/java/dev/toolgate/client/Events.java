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

/** Server-sent events, read as the HTML standard defines them. */
final class Events extends Spliterators.AbstractSpliterator<Events.Event> {
    private static final int LONGEST_EVENT = 8 * 1024 * 1024;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream input;
    private boolean started;
    private boolean afterCarriageReturn;
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
        return of(connection.open(request).body());
    }

    static Stream<Event> of(InputStream input) {
        Events events = new Events(input);
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
        String name = "";
        StringBuilder data = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                if (data.length() > 0) {
                    return new Event(name.isEmpty() ? "message" : name, data.substring(1));
                }
                name = "";
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
            if (field.equals("event")) {
                name = value;
            } else if (field.equals("data")) {
                data.append('\n').append(value);
                if (data.length() > LONGEST_EVENT) {
                    throw new IOException("An event is too long");
                }
            }
        }
        return null; // an event that is incomplete at the end of the stream is dropped
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0; next = input.read()) {
            boolean secondHalf = next == '\n' && afterCarriageReturn;
            afterCarriageReturn = next == '\r';
            if (secondHalf) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                return withoutMark(line.toString(StandardCharsets.UTF_8));
            }
            line.write(next);
            if (line.size() > LONGEST_EVENT) {
                throw new IOException("An event is too long");
            }
        }
        return null;
    }

    private String withoutMark(String line) {
        boolean first = !started;
        started = true;
        return first && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line;
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
