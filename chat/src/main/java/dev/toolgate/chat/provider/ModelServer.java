package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Sends requests to one provider. Retries only if the server is busy and nothing of its answer was passed on. */
final class ModelServer {
    private final String provider;
    private final ModelHttp http;

    ModelServer(String provider, ModelHttp http) {
        this.provider = provider;
        this.http = http;
    }

    /** Streams the answer to a request; the last chunk is an end or an error. */
    void stream(
            HttpRequest request,
            @Nullable ProviderKey key,
            AnswerReader reader,
            Consumer<StreamChunk> consumer,
            Cancellation cancellation) {
        ChunkEmitter out = new ChunkEmitter(consumer, cancellation, http.sizes());
        ErrorAnswer errors = new ErrorAnswer(provider, key, http.clock());
        for (int tries = 0; ; tries++) {
            try {
                attempt(request, reader, out, errors, cancellation);
                return;
            } catch (ProviderFailed failed) {
                ProviderFailure failure = failed.failure();
                if (out.started() || !shouldRetry(failure, tries) || !awaitRetry(failure, tries, cancellation)) {
                    out.error(cancellation.isCancelled() ? cancelled() : failure);
                    return;
                }
            }
        }
    }

    /** Fetches one JSON object. */
    ObjectNode document(HttpRequest request, @Nullable ProviderKey key) throws ProviderFailed {
        ErrorAnswer errors = new ErrorAnswer(provider, key, http.clock());
        int maxBytes = http.sizes().document();
        byte[] bytes = withDeadline(stop -> exchange(request, stop, errors, body -> body.readNBytes(maxBytes + 1)));
        if (bytes.length > maxBytes) {
            throw new ProviderFailed(Kind.TOO_LARGE, provider + " answered with more than " + maxBytes + " bytes.");
        }
        return ServerJson.object(new String(bytes, StandardCharsets.UTF_8));
    }

    @FunctionalInterface
    private interface Stoppable<T> {
        T run(Cancellation stop) throws ProviderFailed;
    }

    // HttpRequest's own time-out covers only the response headers, and an idle time-out never fires while bytes trickle
    // in.
    private <T> T withDeadline(Stoppable<T> work) throws ProviderFailed {
        Cancellation late = new Cancellation();
        Future<?> alarm = alarm(late);
        try {
            return work.run(late);
        } catch (ProviderFailed failed) {
            if (late.isCancelled() && failed.failure().kind() == Kind.CANCELLED) {
                long seconds = http.timeouts().document().toSeconds();
                throw new ProviderFailed(
                        Kind.IDLE_TIMEOUT, provider + " did not answer within " + seconds + " seconds.");
            }
            throw failed;
        } finally {
            alarm.cancel(false);
        }
    }

    private Future<?> alarm(Cancellation late) throws ProviderFailed {
        try {
            return http.later(late::cancel, http.timeouts().document());
        } catch (IOException closed) {
            throw new ProviderFailed(unreachable(closed), null);
        }
    }

    private void attempt(
            HttpRequest request, AnswerReader reader, ChunkEmitter out, ErrorAnswer errors, Cancellation cancellation)
            throws ProviderFailed {
        boolean whole = exchange(request, cancellation, errors, body -> {
            reader.read(new Lines(body, http.sizes().line()), out, errors);
            return out.ended();
        });
        if (!whole) {
            throw new ProviderFailed(Kind.TRUNCATED, provider + " ended its answer before it was complete.");
        }
    }

    @FunctionalInterface
    private interface BodyReader<T> {
        T read(ProviderExchange body) throws IOException, ProviderFailed;
    }

    private <T> T exchange(HttpRequest request, Cancellation cancellation, ErrorAnswer errors, BodyReader<T> reader)
            throws ProviderFailed {
        if (cancellation.isCancelled()) {
            throw new ProviderFailed(cancelled(), null);
        }
        boolean answered = false;
        try (ProviderExchange exchange = open(request, cancellation)) {
            try {
                HttpResponse<?> head = exchange.response();
                answered = true;
                if (head.statusCode() != 200) {
                    throw new ProviderFailed(errors.of(head, exchange), null);
                }
                return reader.read(exchange);
            } catch (IOException broken) {
                ProviderFailure failure = answered
                        ? ProviderFailure.of(
                                Kind.TRUNCATED, provider + " lost the connection in the middle of its answer.")
                        : unreachable(broken);
                throw new ProviderFailed(broken(exchange.cutBy(), failure), null);
            }
        }
    }

    private ProviderExchange open(HttpRequest request, Cancellation cancellation) throws ProviderFailed {
        try {
            return http.open(request, cancellation);
        } catch (IOException closed) {
            throw new ProviderFailed(unreachable(closed), null);
        }
    }

    private ProviderFailure broken(@Nullable Kind cutBy, ProviderFailure otherwise) {
        if (cutBy == Kind.CANCELLED) {
            return cancelled();
        }
        if (cutBy == Kind.IDLE_TIMEOUT) {
            return ProviderFailure.of(
                    Kind.IDLE_TIMEOUT,
                    provider + " sent nothing for " + http.timeouts().idle().toSeconds() + " seconds.");
        }
        return otherwise;
    }

    private ProviderFailure unreachable(IOException why) {
        return ProviderFailure.of(
                Kind.UNAVAILABLE, provider + " could not be reached: " + Unreachable.reason(why) + ".");
    }

    private static ProviderFailure cancelled() {
        return ProviderFailure.of(Kind.CANCELLED, "The answer was cancelled.");
    }

    private boolean shouldRetry(ProviderFailure failure, int tries) {
        boolean busy =
                switch (failure.kind()) {
                    case RATE_LIMITED, OVERLOADED, UNAVAILABLE -> true;
                    case UNAUTHORISED, REJECTED, TRUNCATED, MALFORMED, TOO_LARGE, IDLE_TIMEOUT, CANCELLED -> false;
                };
        return busy
                && tries < http.timeouts().retries()
                && pause(failure, tries).compareTo(http.timeouts().maxPause()) <= 0;
    }

    private Duration pause(ProviderFailure failure, int tries) {
        Duration asked = failure.retryAfter();
        return asked == null ? http.timeouts().firstPause().multipliedBy(1L << tries) : asked;
    }

    /** Waits before the next attempt; false if cancelled. */
    private boolean awaitRetry(ProviderFailure failure, int tries, Cancellation cancellation) {
        // Jitter: a little longer than asked, and not all clients at once.
        double spread = 1 + ThreadLocalRandom.current().nextDouble() / 4;
        CountDownLatch stop = new CountDownLatch(1);
        Runnable onCancel = stop::countDown;
        cancellation.onCancel(onCancel);
        try {
            long nanos = (long) (pause(failure, tries).toNanos() * spread);
            return !stop.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            cancellation.forget(onCancel);
        }
    }
}
