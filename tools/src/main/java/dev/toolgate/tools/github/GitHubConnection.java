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
 * The library's way to the network: bounded in time and size, ended by an interrupt, and to no other host than the
 * configured one. Whatever is not a success ends the call here, so that the library neither waits nor tries again.
 */
record GitHubConnection(HttpClient client, URI apiUrl, Duration patience, Clock clock) implements GitHubConnector {
    private static final long MOST_BYTES = 32L << 20;

    /** Those that an HTTP client sets by itself. */
    private static final Set<String> OWN_HEADERS = Set.of("connection", "content-length", "host", "expect", "upgrade");

    @Override
    public GitHubConnectorResponse send(GitHubConnectorRequest request) throws IOException {
        URI uri = URI.create(request.url().toString());
        if (!isOurs(uri)) {
            throw new GitHubRefusal(failed("GitHub pointed to another host, which is not followed"));
        }
        HttpResponse<byte[]> response = exchange(encode(request, uri));
        if (response.statusCode() >= 400 || (isRedirect(response) && !staysHere(response, uri))) {
            throw new GitHubRefusal(GitHubAnswer.of(response.statusCode(), response.headers(), response.body())
                    .failure(clock));
        }
        return new WholeResponse(request, response);
    }

    private static HttpRequest encode(GitHubConnectorRequest request, URI uri) throws IOException {
        InputStream body = request.body();
        HttpRequest.Builder encoded = HttpRequest.newBuilder(uri)
                .method(
                        request.method(),
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body.readAllBytes()));
        request.allHeaders().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> encoded.header(name, value));
            }
        });
        return encoded.build();
    }

    private HttpResponse<byte[]> exchange(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            throw new GitHubRefusal.Interrupted();
        } catch (TimeoutException late) {
            throw new GitHubRefusal(new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "GitHub did not answer within " + patience.toMillis() + " ms; whether it did what was asked is"
                            + " not known"));
        } catch (ExecutionException failed) {
            throw new GitHubRefusal(failed(
                    failed.getCause() instanceof ConnectException
                            ? "GitHub at " + apiUrl.getHost() + " could not be connected to"
                            : "The connection to GitHub at " + apiUrl.getHost()
                                    + " broke, or the answer was too large"));
        } finally {
            answer.cancel(true);
        }
    }

    private boolean isOurs(URI uri) {
        return uri.getScheme().equals(apiUrl.getScheme())
                && uri.getRawAuthority().equalsIgnoreCase(apiUrl.getRawAuthority());
    }

    private static boolean isRedirect(HttpResponse<?> response) {
        return response.statusCode() >= 300 && response.statusCode() != 304;
    }

    private boolean staysHere(HttpResponse<?> response, URI from) {
        try {
            return response.headers()
                    .firstValue("location")
                    .map(location -> isOurs(from.resolve(location)))
                    .orElse(false);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static ToolFailure failed(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }

    private static final class WholeResponse extends GitHubConnectorResponse {
        private final byte[] body;

        WholeResponse(GitHubConnectorRequest request, HttpResponse<byte[]> response) {
            super(request, response.statusCode(), response.headers().map());
            body = response.body();
        }

        @Override
        public InputStream bodyStream() throws IOException {
            return wrapStream(new ByteArrayInputStream(body));
        }

        @Override
        public void close() {
            // nothing is open: it was read whole
        }
    }
}
