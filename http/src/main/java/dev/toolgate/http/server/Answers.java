package dev.toolgate.http.server;

import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.ClientOutput;
import dev.toolgate.http.events.EventStream;
import dev.toolgate.http.json.AnswerJson;
import dev.toolgate.http.routing.InFlight;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.RunningRequests;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes responses. */
public final class Answers {
    static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");

    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField EVENTS = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "text/event-stream");
    private static final int BUFFER = 32 << 10;

    private final RunningRequests running;
    private final Sockets sockets;
    private final Duration heartbeat;

    Answers(RunningRequests running, Sockets sockets, Duration heartbeat) {
        this.running = running;
        this.sockets = sockets;
        this.heartbeat = heartbeat;
    }

    void write(InFlight flight, Response answer) throws IOException, InterruptedException {
        switch (answer) {
            case Response.Json json -> {
                begin(flight, json.status(), json.headers(), JSON);
                whole(flight, Compression.of(flight, encoded(json.body())));
            }
            case Response.Bytes bytes ->
                whole(flight, bytes.status(), bytes.headers(), type(bytes.mediaType()), bytes.body());
            case Response.Empty empty -> whole(flight, empty.status(), empty.headers(), null, new byte[0]);
            case Response.Stream stream -> stream(flight, stream);
            case Response.Events events -> events(flight, events);
            case Response.WholeOrStream either -> wholeOrStream(flight, either);
            case Response.Socket socket -> sockets.upgrade(flight, socket);
        }
    }

    void write(InFlight flight, HttpFailure failure) throws IOException {
        byte[] body = encoded(flight.dialect().errors().error(failure.error(flight.correlationId())));
        whole(flight, failure.status(), failure.headers(), JSON, body);
    }

    static byte[] encoded(Object body) {
        return body instanceof JsonNode tree
                ? Json.MAPPER.writeValueAsBytes(tree)
                : AnswerJson.MAPPER.writeValueAsBytes(body);
    }

    static HttpField type(String mediaType) {
        return new HttpField(HttpHeader.CONTENT_TYPE, mediaType);
    }

    static void begin(InFlight flight, int status, Map<String, String> headers, @Nullable HttpField type) {
        flight.response.setStatus(status);
        HttpFields.Mutable fields = flight.response.getHeaders();
        if (type != null) {
            fields.put(type);
        }
        fields.put(NO_STORE);
        headers.forEach(fields::put);
    }

    private static void whole(
            InFlight flight, int status, Map<String, String> headers, @Nullable HttpField type, byte[] body)
            throws IOException {
        begin(flight, status, headers, type);
        whole(flight, body);
    }

    private static void whole(InFlight flight, byte[] body) throws IOException {
        if (flight.body.isConsumed()) {
            flight.response.write(true, ByteBuffer.wrap(body), flight);
            return;
        }
        if (!flight.body.leavesConnectionUsable()) {
            flight.response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        new ClientOutput(flight.response).writeLast(body);
        flight.body.discardRest();
        flight.succeeded();
    }

    private static void stream(InFlight flight, Response.Stream stream) throws IOException, InterruptedException {
        begin(flight, stream.status(), stream.headers(), type(stream.mediaType()));
        if (isHead(flight)) {
            flight.response.write(true, BufferUtil.EMPTY_BUFFER, flight);
            return;
        }
        // Not closed on failure: closing would make the response look complete.
        OutputStream out = new BufferedOutputStream(new ClientOutput(flight.response), BUFFER);
        stream.content().writeTo(out);
        out.close();
        flight.succeeded();
    }

    private void events(InFlight flight, Response.Events events) throws IOException {
        begin(flight, 200, Map.of(), EVENTS);
        if (isHead(flight)) {
            flight.response.write(true, BufferUtil.EMPTY_BUFFER, flight);
            return;
        }
        EventStream stream = new EventStream(flight.response, heartbeat);
        running.enter(flight, stream, events.tenant());
        stream.run(events.source());
        flight.response.write(true, BufferUtil.EMPTY_BUFFER, flight);
    }

    private void wholeOrStream(InFlight flight, Response.WholeOrStream either)
            throws IOException, InterruptedException {
        LateStream stream = new LateStream(flight, running, either.tenant());
        Response whole = either.handler().answer(stream);
        if (stream.isStarted()) {
            flight.response.write(true, BufferUtil.EMPTY_BUFFER, flight);
        } else {
            write(flight, whole);
        }
    }

    private static boolean isHead(InFlight flight) {
        return HttpMethod.HEAD.is(flight.request.getMethod());
    }
}
