package dev.toolgate.chat.provider;

import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * HTTP connections to model servers, shared by all clients. Redirects are never followed, so that keys stay with their
 * server.
 */
public final class ModelHttp implements AutoCloseable {
    private final SizeLimits sizes;
    private final Timeouts timeouts;
    private final InstantSource clock;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledThreadPoolExecutor watchdog = watchdog();
    private final HttpClient client;

    public ModelHttp() {
        this(SizeLimits.DEFAULT, Timeouts.DEFAULT, InstantSource.system());
    }

    public ModelHttp(SizeLimits sizes, Timeouts timeouts, InstantSource clock) {
        this.sizes = sizes;
        this.timeouts = timeouts;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .connectTimeout(timeouts.connect())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(workers)
                .build();
    }

    /** A request to a path; the server's address may end with a slash. */
    static HttpRequest.Builder request(URI server, String path) {
        String address = server.toString();
        URI uri = URI.create((address.endsWith("/") ? address.substring(0, address.length() - 1) : address) + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("user-agent", "toolgate");
        // Without TLS the client would first request an upgrade to HTTP/2, which many small servers do not support.
        return "http".equalsIgnoreCase(uri.getScheme()) ? request.version(HttpClient.Version.HTTP_1_1) : request;
    }

    ProviderExchange open(HttpRequest request, Cancellation cancellation) throws IOException {
        if (watchdog.isShutdown()) {
            throw closed(null);
        }
        return new ProviderExchange(client, request, cancellation, watchdog, timeouts.idle());
    }

    /** Schedules an action; the future cancels it. */
    Future<?> later(Runnable what, Duration wait) throws IOException {
        try {
            return watchdog.schedule(what, wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            throw closed(closing);
        }
    }

    static IOException closed(@Nullable RejectedExecutionException closing) {
        return new IOException("the connections to model servers are closed", closing);
    }

    SizeLimits sizes() {
        return sizes;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    InstantSource clock() {
        return clock;
    }

    @Override
    public void close() {
        client.shutdownNow();
        watchdog.shutdownNow();
        workers.shutdown();
    }

    private static ScheduledThreadPoolExecutor watchdog() {
        ScheduledThreadPoolExecutor watchdog = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("toolgate-model-watchdog").factory());
        watchdog.setRemoveOnCancelPolicy(true);
        return watchdog;
    }
}
