package dev.toolgate.tools;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Asks services that an operator has configured. Redirects are not followed, because they would take the token along;
 * the whole exchange has one time limit, and no more of a body is read than is wanted.
 */
public final class ServiceClient {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final String service;
    private final Duration timeout;

    /**
     * @param service what it is called in messages, for example {@code vault}
     */
    public ServiceClient(String service, Duration timeout) {
        this.service = service;
        this.timeout = timeout;
    }

    private static final class Shared {
        static final HttpClient HTTP = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build();
    }

    /**
     * What came back.
     *
     * @param body cut to the size that was asked for
     */
    public record Reply(int status, HttpHeaders headers, String body) {
        public boolean isGood() {
            return status >= 200 && status < 300;
        }

        public Optional<String> header(String name) {
            return headers.firstValue(name);
        }
    }

    /** Sends a request and reads the answer, up to this many bytes. */
    public Reply send(HttpRequest request, int mostBytes) throws ToolFailure, InterruptedException {
        FutureTask<Reply> exchange = new FutureTask<>(() -> exchange(request, mostBytes));
        Thread.ofVirtual().name("toolgate-service").start(exchange);
        try {
            return exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            exchange.cancel(true);
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "The " + service + " did not answer within " + timeout.toSeconds() + " seconds");
        } catch (InterruptedException cancelled) {
            exchange.cancel(true);
            throw cancelled;
        } catch (ExecutionException failed) {
            throw new ToolFailure(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The " + service + " cannot be reached (" + reason(failed) + "); check its address");
        }
    }

    // Not its message: that may quote headers.
    private static String reason(ExecutionException failed) {
        return switch (failed.getCause()) {
            case ConnectException refused -> "the connection is refused or there is no such host";
            case SSLException untrusted -> "its certificate is not accepted";
            case null, default -> "the connection broke";
        };
    }

    private static Reply exchange(HttpRequest request, int mostBytes) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = Shared.HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            return new Reply(
                    response.statusCode(),
                    response.headers(),
                    new String(body.readNBytes(mostBytes), StandardCharsets.UTF_8));
        }
    }
}
