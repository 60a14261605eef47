package dev.toolgate.chat.provider;

import java.net.URI;

/** Parses the address of Ollama: a URL, a host, host and port, or just a port. */
public final class OllamaHost {
    private static final int PORT = 11434;

    private OllamaHost() {}

    /**
     * The address to connect to.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static URI parse(String written) {
        String text = written.strip();
        if (text.isEmpty()) {
            return Ollama.ADDRESS;
        }
        boolean hasScheme = text.contains("://");
        String full = hasScheme ? text : "http://" + (text.startsWith(":") ? "127.0.0.1" : "") + text;
        URI uri = URI.create(full);
        if (uri.getHost() == null || !(full.startsWith("http://") || full.startsWith("https://"))) {
            throw new IllegalArgumentException("The address of Ollama must be a host, host:port or an http(s) URL.");
        }
        // Clients cannot connect to the wildcard address.
        String host = uri.getHost().equals("0.0.0.0") ? "127.0.0.1" : uri.getHost();
        int port = uri.getPort() > 0 ? uri.getPort() : hasScheme ? -1 : PORT;
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return URI.create(uri.getScheme() + "://" + host + (port < 0 ? "" : ":" + port) + path);
    }
}
