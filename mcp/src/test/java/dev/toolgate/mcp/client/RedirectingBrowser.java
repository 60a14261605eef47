package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.oauth.AuthorizationPrompt;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A browser whose user consents to everything: it opens the page and returns the redirect. */
final class RedirectingBrowser implements AuthorizationPrompt {
    @Override
    public URI authorize(URI page) throws IOException, InterruptedException {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            HttpResponse<Void> response =
                    browser.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding());
            return URI.create(response.headers()
                    .firstValue("Location")
                    .orElseThrow(() -> new IOException("The page does not redirect.")));
        }
    }
}
