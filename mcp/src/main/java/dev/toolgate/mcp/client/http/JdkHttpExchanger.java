package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Sends requests with the JDK's client over HTTP/1.1; allows every address. One instance serves any number of servers.
 */
public final class JdkHttpExchanger implements HttpExchanger {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    public JdkHttpExchanger(Duration connectTimeout) {
        this(HttpClient.newBuilder(), connectTimeout);
    }

    /**
     * @param settings of the client, such as the certificates it trusts
     */
    public JdkHttpExchanger(HttpClient.Builder settings, Duration connectTimeout) {
        this.client = settings.version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .executor(executor)
                .build();
    }

    @Override
    public ClientHttpResponse exchange(ClientHttpRequest request, RequestAbort abort) throws IOException {
        CompletableFuture<HttpResponse<InputStream>> pending =
                client.sendAsync(request(request), HttpResponse.BodyHandlers.ofInputStream());
        abort.onAbort(() -> pending.cancel(true));
        HttpResponse<InputStream> response = await(pending);
        ClientHttpResponse head = new ClientHttpResponse(
                response.statusCode(), name -> response.headers().allValues(name), response.body());
        abort.onAbort(head::close);
        return head;
    }

    private static HttpRequest request(ClientHttpRequest request) {
        byte[] body = request.body();
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri())
                .method(
                        request.method(),
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        request.headers().forEach(builder::header);
        Duration timeout = request.timeout();
        if (timeout != null) {
            builder.timeout(timeout);
        }
        return builder.build();
    }

    private static HttpResponse<InputStream> await(CompletableFuture<HttpResponse<InputStream>> pending)
            throws IOException {
        try {
            return pending.get();
        } catch (InterruptedException stopped) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the server.", stopped);
        } catch (CancellationException aborted) {
            throw new IOException("The request was aborted.", aborted);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnresolvedAddressException) {
                throw new HttpUnreachable("The server cannot be reached: " + reason(cause), cause);
            }
            throw new IOException(reason(cause == null ? failed : cause), cause);
        }
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
        executor.close();
    }
}
