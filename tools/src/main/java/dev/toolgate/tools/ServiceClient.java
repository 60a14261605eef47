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
 * HTTP client for services that an operator has configured. Redirects are not followed, because the token would be sent
 * along; the whole exchange has one time limit, and bodies are read up to a maximum size.
 */
public final class ServiceClient {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final String service;
    private final Duration timeout;

    /** @param service its name in messages, for example {@code vault} */
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
     * A response.
     *
     * @param body truncated to the requested size
     */
    public record Reply(int status, HttpHeaders headers, String body) {
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        public Optional<String> header(String name) {
            return headers.firstValue(name);
        }
    }

    /** Sends a request and reads the response up to a maximum size. */
    public Reply send(HttpRequest request, int maxBytes) throws ToolFailure, InterruptedException {
        FutureTask<Reply> exchange = new FutureTask<>(() -> exchange(request, maxBytes));
        Thread.ofVirtual().name("toolgate-service").start(exchange);
        try {
            return exchange.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            exchange.cancel(true);
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "The " + service + " did not respond within " + timeout.toSeconds() + " seconds; try again"
                            + " later");
        } catch (InterruptedException cancelled) {
            exchange.cancel(true);
            throw cancelled;
        } catch (ExecutionException failed) {
            throw new ToolFailure(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The " + service + " cannot be reached (" + reason(failed) + "); check its address");
        }
    }

    // The exception's message is not used, because it may quote headers.
    private static String reason(ExecutionException failed) {
        return switch (failed.getCause()) {
            case ConnectException refused -> "the connection was refused or the host is unknown";
            case SSLException untrusted -> "its certificate is not trusted";
            case null, default -> "the connection broke";
        };
    }

    private static Reply exchange(HttpRequest request, int maxBytes) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = Shared.HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            return new Reply(
                    response.statusCode(),
                    response.headers(),
                    new String(body.readNBytes(maxBytes), StandardCharsets.UTF_8));
        }
    }
}
