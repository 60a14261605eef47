package dev.toolgate.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.MissingNode;

/** Sends requests to the gate, with retries if the gate reports an error as retryable. */
final class Connection {
    static final String USER_AGENT = "toolgate-java/0.1.0";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);
    // A longer Retry-After is reported to the caller instead of waited for.
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(60);
    private static final long MAX_ANSWER = 64L * 1024 * 1024;

    private final HttpClient http;
    private final String url;
    private final String key;
    private final Duration timeout;
    private final int maxRetries;
    private final Time time;

    Connection(HttpClient http, String url, String key, Duration timeout, int maxRetries, Time time) {
        this.http = http;
        this.url = url;
        this.key = key;
        this.timeout = timeout;
        this.maxRetries = maxRetries;
        this.time = time;
    }

    String url() {
        return url;
    }

    Time time() {
        return time;
    }

    /** The answer, unless it is an error. */
    Reply send(Request request) {
        for (int attempt = 0; ; attempt++) {
            Reply reply;
            try {
                reply = once(request);
            } catch (IOException failure) {
                if (attempt >= maxRetries || !mayRepeat(request, failure)) {
                    throw new ConnectionFailedException(
                            "The gate at " + url + " gave no answer: " + describe(failure), failure);
                }
                pause(backoff(attempt));
                continue;
            }
            if (reply.isAnswer()) {
                return reply;
            }
            Duration retryAfter = reply.retryAfter();
            boolean tooLong = retryAfter != null && retryAfter.compareTo(LONGEST_RETRY_AFTER) > 0;
            if (!reply.retryable() || attempt >= maxRetries || tooLong) {
                throw reply.exception();
            }
            Duration pause = backoff(attempt);
            pause(retryAfter == null || retryAfter.compareTo(pause) < 0 ? pause : retryAfter);
        }
    }

    /** The response body as a stream, which the caller must close. */
    HttpResponse<InputStream> open(Request request) {
        try {
            HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
            if (response.statusCode() == 200) {
                return response;
            }
            try (InputStream body = response.body()) {
                byte[] text = body.readNBytes(1024 * 1024);
                throw new Reply(response.statusCode(), response.headers(), Json.parse(text)).exception();
            }
        } catch (IOException failure) {
            throw new ConnectionFailedException(
                    "The gate at " + url + " gave no answer: " + describe(failure), failure);
        }
    }

    void pause(Duration length) {
        try {
            time.sleep(length);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private Reply once(Request request) throws IOException {
        HttpResponse<byte[]> response = exchange(request, LimitedBody.of(MAX_ANSWER));
        String type = response.headers().firstValue("Content-Type").orElse("");
        return new Reply(
                response.statusCode(),
                response.headers(),
                type.startsWith("application/json") ? Json.parse(response.body()) : MissingNode.getInstance());
    }

    private <T> HttpResponse<T> exchange(Request request, BodyHandler<T> handler) throws IOException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(url + request.path()))
                .method(request.method(), request.body())
                .header("Authorization", "Bearer " + key)
                .header("User-Agent", USER_AGENT);
        request.headers().forEach(builder::header);
        CompletableFuture<HttpResponse<T>> response = http.sendAsync(builder.build(), handler);
        try {
            // The timeout of the request itself ends with the headers.
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            response.cancel(true);
            throw new HttpTimeoutException("no answer within " + timeout.toSeconds() + " s");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed.getCause());
        } catch (InterruptedException interrupted) {
            response.cancel(true);
            throw interrupted(interrupted);
        }
    }

    /** Whether nothing was sent, or sending it again does no harm. */
    private static boolean mayRepeat(Request request, IOException failure) {
        return request.repeat() == Request.Repeat.HARMLESS || failure instanceof ConnectException;
    }

    /** Exponential backoff from half a second to eight seconds, with up to 50 % jitter. */
    private static Duration backoff(int attempt) {
        long longest = Math.min(FIRST_PAUSE.toMillis() << Math.min(attempt + 1, 10), LONGEST_PAUSE.toMillis());
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }

    private static String describe(IOException failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static ToolgateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        ToolgateException stopped = new ToolgateException(
                "INTERRUPTED",
                "The thread was interrupted while it waited for the gate.",
                "Send the call again under the same request id, or collect its outcome.",
                false,
                null);
        stopped.initCause(cause);
        return stopped;
    }

    /** The clock and sleep, replaceable in tests. */
    interface Time {
        Time SYSTEM = new Time() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                Thread.sleep(time.toMillis());
            }
        };

        long nanos();

        void sleep(Duration time) throws InterruptedException;
    }
}
