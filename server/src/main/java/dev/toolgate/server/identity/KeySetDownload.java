package dev.toolgate.server.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gets the keys an issuer publishes: in bounded time, of bounded size, and from nowhere else. */
final class KeySetDownload implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int MOST_BYTES = 256 * 1024;
    private static final int SHORTEST_RSA_KEY = 2048;

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    KeySetDownload(URI address) {
        this.address = address;
    }

    JWKSet fetch() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Accept", "application/jwk-set+json, application/json")
                .timeout(PATIENCE)
                .build();
        HttpResponse<String> response =
                within(client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES)));
        if (response.statusCode() != 200) {
            throw new IOException("The issuer's keys could not be read: status " + response.statusCode() + ".");
        }
        try {
            return usable(JWKSet.parse(response.body()));
        } catch (ParseException malformed) {
            throw new IOException("The issuer's keys could not be read: they are not a key set.", malformed);
        }
    }

    // The client's own limit ends with the head of the answer; a body can be slow as well.
    private static HttpResponse<String> within(CompletableFuture<HttpResponse<String>> answer) throws IOException {
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IOException("The issuer's keys could not be fetched.", failed.getCause());
        } catch (TimeoutException slow) {
            throw new IOException("The issuer's keys could not be fetched in time.", slow);
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new IOException("Fetching the issuer's keys was interrupted.", hostWantsItsThread);
        } finally {
            answer.cancel(true);
        }
    }

    private static JWKSet usable(JWKSet published) {
        List<JWK> keys =
                published.getKeys().stream().filter(KeySetDownload::isStrong).toList();
        return new JWKSet(keys);
    }

    private static boolean isStrong(JWK key) {
        return key.getKeyType().equals(KeyType.EC)
                || (key.getKeyType().equals(KeyType.RSA) && key.size() >= SHORTEST_RSA_KEY);
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
