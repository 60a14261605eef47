package dev.toolgate.mcp.server.http;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.server.DeliveryListeners;
import dev.toolgate.mcp.server.ReplyStream;
import dev.toolgate.mcp.server.offer.Delivery;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The response to one request over HTTP: a JSON body, or an event stream, which is opened with the first message before
 * the response or when the request takes long.
 */
final class HttpReplyStream implements ReplyStream {
    /** Writes an event; false if it was dropped. */
    @FunctionalInterface
    private interface Writing {
        boolean write(StreamSink sink, byte[] event) throws IOException;
    }

    private static final Writing ALWAYS = (sink, event) -> {
        sink.write(event);
        return true;
    };

    private final HttpOutput out;
    private final boolean acceptsEvents;
    private final Runnable onGone;
    private final long started = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final DeliveryListeners deliveryListeners = new DeliveryListeners();
    private final AtomicBoolean isTicking = new AtomicBoolean();
    private volatile @Nullable StreamSink sink;
    private volatile boolean refused;
    private volatile boolean over;
    private volatile long lastWrite = started;

    /**
     * @param acceptsEvents whether the client understands event streams
     * @param onGone runs when the client turns out to be disconnected
     */
    HttpReplyStream(HttpOutput out, boolean acceptsEvents, Runnable onGone) {
        this.out = out;
        this.acceptsEvents = acceptsEvents;
        this.onGone = onGone;
    }

    @Override
    public boolean isAvailable() {
        return acceptsEvents && !refused && !over;
    }

    @Override
    public void send(RpcMessage message) throws IOException {
        write(EventEncoder.message(RpcWriter.bytes(message)), ALWAYS);
    }

    @Override
    public void offer(RpcMessage message) throws IOException {
        write(EventEncoder.message(RpcWriter.bytes(message)), StreamSink::offer);
    }

    private void write(byte[] event, Writing writing) throws IOException {
        lock.lock();
        try {
            if (!isAvailable()) {
                throw new IOException("The stream has ended, or the client does not accept event streams.");
            }
            writeOrGiveUp(event, writing);
            if (refused) {
                throw new IOException("No stream is available.");
            }
        } finally {
            lock.unlock();
        }
    }

    private void writeOrGiveUp(byte[] event, Writing writing) throws IOException {
        try {
            StreamSink open = sink == null ? out.open(EventEncoder.HEADERS) : sink;
            if (open == null) {
                refused = true;
                return;
            }
            sink = open;
            if (writing.write(open, event)) {
                lastWrite = System.nanoTime();
            }
        } catch (IOException gone) {
            gone();
            throw gone;
        }
    }

    /** Marks the client as disconnected. */
    void gone() {
        if (!over) {
            over = true;
            onGone.run();
        }
    }

    /** Opens the stream or sends a keep-alive, if due; never blocks. */
    void tick(StreamSettings settings) {
        long now = System.nanoTime();
        boolean due = sink == null
                ? now - started >= settings.openAfter().toNanos()
                : now - lastWrite >= settings.keepAlive().toNanos();
        if (due && isAvailable() && isTicking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("mcp-keep-alive").start(this::keepAlive);
        }
    }

    private void keepAlive() {
        try {
            write(EventEncoder.keepAlive(), ALWAYS);
        } catch (IOException noted) {
            // onGone has run
        } finally {
            isTicking.set(false);
        }
    }

    @Override
    public void onDelivery(Consumer<Delivery> listener) {
        deliveryListeners.add(listener);
    }

    /**
     * Ends the response.
     *
     * @param last the last message of a stream; null for none
     * @param whole the response if no stream was opened
     */
    HttpReply finish(byte @Nullable [] last, HttpReply whole) {
        HttpReply reply = whole;
        Delivery delivery = Delivery.LOST;
        lock.lock();
        try {
            openToKnowDelivery(whole);
            StreamSink open = sink;
            if (open != null) {
                reply = new HttpReply.Streamed();
            }
            if (!over) {
                over = true;
                if (open != null) {
                    if (last != null) {
                        open.write(EventEncoder.message(last));
                    }
                    open.close();
                }
                delivery = last == null ? Delivery.LOST : Delivery.WRITTEN;
            }
        } catch (IOException gone) {
            // the client is disconnected
        } finally {
            lock.unlock();
        }
        deliveryListeners.end(delivery);
        return reply;
    }

    /** Only a stream tells whether a response was written; a whole one is assumed to be. */
    private void openToKnowDelivery(HttpReply whole) throws IOException {
        if (sink == null
                && isAvailable()
                && !deliveryListeners.isEmpty()
                && whole instanceof HttpReply.Json json
                && json.status() == 200) {
            sink = out.open(EventEncoder.HEADERS);
        }
    }
}
