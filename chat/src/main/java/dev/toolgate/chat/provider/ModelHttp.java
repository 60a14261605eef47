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

/** Connections to model servers, shared by all clients. It never follows a redirect: a key stays with its server. */
public final class ModelHttp implements AutoCloseable {
    private final SizeLimits sizes;
    private final Timeouts patience;
    private final InstantSource clock;
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledThreadPoolExecutor watchdog = watchdog();
    private final HttpClient client;

    public ModelHttp() {
        this(SizeLimits.USUAL, Timeouts.USUAL, InstantSource.system());
    }

    public ModelHttp(SizeLimits sizes, Timeouts patience, InstantSource clock) {
        this.sizes = sizes;
        this.patience = patience;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .connectTimeout(patience.connect())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(workers)
                .build();
    }

    /** A request to one place of a server, whose address may end with a slash or not. */
    static HttpRequest.Builder request(URI server, String place) {
        String address = server.toString();
        URI uri = URI.create((address.endsWith("/") ? address.substring(0, address.length() - 1) : address) + place);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("user-agent", "toolgate");
        // Without TLS the client would first ask to change to HTTP/2, which many small servers do not understand.
        return "http".equalsIgnoreCase(uri.getScheme()) ? request.version(HttpClient.Version.HTTP_1_1) : request;
    }

    ProviderExchange open(HttpRequest request, Cancellation cancellation) throws IOException {
        if (watchdog.isShutdown()) {
            throw closed(null);
        }
        return new ProviderExchange(client, request, cancellation, watchdog, patience.idle());
    }

    /** Does something later, unless it is no longer wanted. */
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

    Timeouts patience() {
        return patience;
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
