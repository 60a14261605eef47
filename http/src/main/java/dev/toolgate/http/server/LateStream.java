package dev.toolgate.http.server;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.events.ClientOutput;
import dev.toolgate.http.events.EndableStream;
import dev.toolgate.http.events.StreamStarter;
import dev.toolgate.http.routing.InFlight;
import dev.toolgate.http.routing.RunningRequests;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The response to one request, which becomes a stream if its handler starts one. */
final class LateStream implements StreamStarter, EndableStream {
    private final InFlight flight;
    private final RunningRequests running;
    private final TenantId tenant;
    private final List<Runnable> onStop = new ArrayList<>();
    private volatile boolean started;
    private volatile boolean stopping;

    LateStream(InFlight flight, RunningRequests running, TenantId tenant) {
        this.flight = flight;
        this.running = running;
        this.tenant = tenant;
    }

    boolean isStarted() {
        return started;
    }

    @Override
    public OutputStream start(String mediaType, Map<String, String> headers) throws IOException {
        if (started) {
            throw new IllegalStateException("The stream was started before.");
        }
        running.enter(flight, this, tenant);
        started = true;
        Answers.begin(flight, 200, headers, Answers.type(mediaType));
        return new UnclosedOutput(new ClientOutput(flight.response));
    }

    /** The output to the client; the response ends with the handler, so closing this does nothing. */
    private static final class UnclosedOutput extends FilterOutputStream {
        UnclosedOutput(OutputStream client) {
            super(client);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() {}
    }

    @Override
    public void onStop(Runnable listener) {
        synchronized (onStop) {
            if (!stopping) {
                onStop.add(listener);
                return;
            }
        }
        listener.run();
    }

    @Override
    public void end() {
        List<Runnable> listeners;
        synchronized (onStop) {
            stopping = true;
            listeners = List.copyOf(onStop);
            onStop.clear();
        }
        listeners.forEach(Runnable::run);
    }
}
