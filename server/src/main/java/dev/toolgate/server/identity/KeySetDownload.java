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

/** Downloads the published keys of an issuer, with a time-out, a maximum size and no redirects. */
final class KeySetDownload implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int MAX_BYTES = 256 * 1024;
    private static final int MIN_RSA_BITS = 2048;

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    KeySetDownload(URI address) {
        this.address = address;
    }

    JWKSet fetch() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Accept", "application/jwk-set+json, application/json")
                .timeout(TIMEOUT)
                .build();
        HttpResponse<String> response =
                await(client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MAX_BYTES)));
        if (response.statusCode() != 200) {
            throw new IOException("The issuer's keys could not be fetched: status " + response.statusCode() + ".");
        }
        try {
            return usable(JWKSet.parse(response.body()));
        } catch (ParseException malformed) {
            throw new IOException("The issuer's keys could not be parsed: the response is not a JWK set.", malformed);
        }
    }

    // The client's time-out covers only the response headers; the body can be slow as well.
    private static HttpResponse<String> await(CompletableFuture<HttpResponse<String>> answer) throws IOException {
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IOException("The issuer's keys could not be fetched.", failed.getCause());
        } catch (TimeoutException slow) {
            throw new IOException("The issuer's keys could not be fetched in time.", slow);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IOException("Fetching the issuer's keys was interrupted.", interrupt);
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
                || (key.getKeyType().equals(KeyType.RSA) && key.size() >= MIN_RSA_BITS);
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
