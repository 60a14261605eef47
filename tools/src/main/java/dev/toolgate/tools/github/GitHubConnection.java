package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kohsuke.github.connector.GitHubConnector;
import org.kohsuke.github.connector.GitHubConnectorRequest;
import org.kohsuke.github.connector.GitHubConnectorResponse;

/**
 * The HTTP connector for the GitHub library: limited in time and size, interruptible, and only to the configured host.
 * Error responses end the call here, so that the library neither waits nor retries.
 */
record GitHubConnection(HttpClient client, URI apiUrl, Duration timeout, Clock clock) implements GitHubConnector {
    private static final long MAX_BYTES = 32L << 20;

    /** Headers that the HTTP client sets itself. */
    private static final Set<String> CLIENT_HEADERS =
            Set.of("connection", "content-length", "host", "expect", "upgrade");

    @Override
    public GitHubConnectorResponse send(GitHubConnectorRequest request) throws IOException {
        URI uri = URI.create(request.url().toString());
        if (!isApiHost(uri)) {
            throw new GitHubRefusal(failed("GitHub redirected to another host, which is not followed"));
        }
        HttpResponse<byte[]> response = exchange(encode(request, uri));
        if (response.statusCode() >= 400 || (isRedirect(response) && !staysOnApiHost(response, uri))) {
            throw new GitHubRefusal(GitHubError.of(response.statusCode(), response.headers(), response.body())
                    .failure(clock));
        }
        return new BufferedResponse(request, response);
    }

    private static HttpRequest encode(GitHubConnectorRequest request, URI uri) throws IOException {
        InputStream body = request.body();
        HttpRequest.Builder encoded = HttpRequest.newBuilder(uri)
                .method(
                        request.method(),
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body.readAllBytes()));
        request.allHeaders().forEach((name, values) -> {
            if (!CLIENT_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> encoded.header(name, value));
            }
        });
        return encoded.build();
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            throw new GitHubRefusal.Interrupted();
        } catch (TimeoutException late) {
            throw new GitHubRefusal(new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "GitHub did not respond within " + timeout.toMillis() + " ms; check on GitHub whether the"
                            + " request took effect"));
        } catch (ExecutionException failed) {
            throw new GitHubRefusal(failed(
                    failed.getCause() instanceof ConnectException
                            ? "GitHub at " + apiUrl.getHost() + " could not be connected to"
                            : "The connection to GitHub at " + apiUrl.getHost()
                                    + " broke, or the response was too large"));
        } finally {
            answer.cancel(true);
        }
    }

    private boolean isApiHost(URI uri) {
        return uri.getScheme().equals(apiUrl.getScheme())
                && uri.getRawAuthority().equalsIgnoreCase(apiUrl.getRawAuthority());
    }

    private static boolean isRedirect(HttpResponse<?> response) {
        return response.statusCode() >= 300 && response.statusCode() != 304;
    }

    private boolean staysOnApiHost(HttpResponse<?> response, URI from) {
        try {
            return response.headers()
                    .firstValue("location")
                    .map(location -> isApiHost(from.resolve(location)))
                    .orElse(false);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static ToolFailure failed(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }

    private static final class BufferedResponse extends GitHubConnectorResponse {
        private final byte[] body;

        BufferedResponse(GitHubConnectorRequest request, HttpResponse<byte[]> response) {
            super(request, response.statusCode(), response.headers().map());
            body = response.body();
        }

        @Override
        public InputStream bodyStream() throws IOException {
            return wrapStream(new ByteArrayInputStream(body));
        }

        @Override
        public void close() {
            // nothing to close: the body is in memory
        }
    }
}
