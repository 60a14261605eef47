package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, read on the creating thread. Cancellation and the watchdog cut it from other threads:
 * the socket is closed at once and the reader gets an {@link IOException}.
 */
final class ProviderExchange extends InputStream {
    private final CompletableFuture<HttpResponse<InputStream>> pending;
    private final Cancellation cancellation;
    private final Runnable onCancel = () -> cut(Kind.CANCELLED);
    private final ScheduledExecutorService watchdog;
    private final long idleNanos;
    private @Nullable InputStream body;
    private @Nullable Thread waiting;
    private long waitingSince;
    private @Nullable Kind cutBy;
    private boolean interruptSent;
    private boolean closed;
    private @Nullable ScheduledFuture<?> alarm;

    ProviderExchange(
            HttpClient client,
            HttpRequest request,
            Cancellation cancellation,
            ScheduledExecutorService watchdog,
            Duration idle)
            throws IOException {
        this.cancellation = cancellation;
        this.watchdog = watchdog;
        this.idleNanos = idle.toNanos();
        this.pending = client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        cancellation.onCancel(onCancel);
        try {
            watch();
        } catch (RejectedExecutionException closing) { // closed concurrently
            close();
            throw ModelHttp.closed(closing);
        }
    }

    /** Waits for the response headers. */
    HttpResponse<InputStream> response() throws IOException {
        enter();
        try {
            HttpResponse<InputStream> response = pending.get();
            synchronized (this) {
                body = response.body();
            }
            return response;
        } catch (InterruptedException interrupt) {
            if (cutBy() == null) {
                cut(Kind.CANCELLED); // otherwise the connection would stay open
                Thread.currentThread().interrupt(); // the host wants its thread back
            }
            throw stopped(interrupt);
        } catch (CancellationException cancelled) {
            throw stopped(cancelled);
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause());
        } finally {
            leave();
        }
    }

    /** Why it was cut; {@code null} if it was not. */
    synchronized @Nullable Kind cutBy() {
        return cutBy;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        InputStream source;
        synchronized (this) {
            source = body;
        }
        if (source == null) {
            throw new IOException("The response headers have not been read.");
        }
        enter();
        try {
            return source.read(target, from, length);
        } catch (IOException failed) {
            if (Thread.currentThread().isInterrupted() && cutBy() == null) {
                cut(Kind.CANCELLED);
            }
            throw failed;
        } finally {
            leave();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    private synchronized void enter() throws IOException {
        if (cutBy != null) {
            throw stopped(null);
        }
        waitingSince = System.nanoTime();
        waiting = Thread.currentThread();
    }

    private synchronized void leave() {
        waiting = null;
        if (interruptSent) {
            interruptSent = false;
            Thread.interrupted(); // our own interrupt must not leak
        }
    }

    private void cut(Kind why) {
        synchronized (this) {
            if (closed || cutBy != null) {
                return;
            }
            cutBy = why;
        }
        release();
        synchronized (this) {
            if (waiting != null && !waiting.equals(Thread.currentThread())) {
                interruptSent = true;
                waiting.interrupt();
            }
        }
    }

    private synchronized void watch() {
        if (closed || cutBy != null) {
            return;
        }
        long left = waiting == null ? idleNanos : idleNanos - (System.nanoTime() - waitingSince);
        alarm = watchdog.schedule(left > 0 ? this::watch : () -> cut(Kind.IDLE_TIMEOUT), left, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        ScheduledFuture<?> due;
        synchronized (this) {
            closed = true;
            due = alarm;
        }
        cancellation.forget(onCancel);
        if (due != null) {
            due.cancel(false);
        }
        release();
    }

    // A response that arrives at this moment has a body that must be closed too.
    private void release() {
        pending.cancel(true);
        var _ = pending.whenComplete((response, _) -> {
            if (response != null) {
                close(response.body());
            }
        });
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException _) {
            // Nothing more will be read anyway.
        }
    }

    private static IOException stopped(@Nullable Throwable cause) {
        InterruptedIOException stopped = new InterruptedIOException("The exchange was stopped.");
        stopped.initCause(cause);
        return stopped;
    }
}
