package dev.toolgate.server.door.frontend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Fakes of external services on loopback: a web page and GitHub's REST API. */
final class OutsideWorld implements AutoCloseable {
    /** The GitHub token, which must not leak. */
    static final String TOKEN = "ghp_plantedTokenOfTheFirstTenant00000000";

    private static final Map<String, String> ANSWERS = Map.of(
            "GET /page",
            "<html><title>Example</title><body><p>This page is an example.</p></body></html>",
            "POST /api/v3/user/repos",
            repository(),
            "GET /api/v3/repos/org/repo",
            repository(),
            "GET /api/v3/repos/org/repo/pulls/1",
            """
            {"id": 7, "number": 1, "title": "PR title", "body": "...", "state": "open", "changed_files": 1,
             "head": {"ref": "topic", "sha": "abc123"}, "base": {"ref": "main", "sha": "def456"}}""",
            "GET /api/v3/repos/org/repo/pulls/1/files",
            "[{\"filename\": \"a.ts\", \"status\": \"added\"}]",
            "POST /api/v3/repos/org/repo/issues/1/comments",
            "{\"id\": 99, \"body\": \"Looks good\"}",
            "PUT /api/v3/repos/org/repo/pulls/1/merge",
            "{\"sha\": \"fed\", \"merged\": true, \"message\": \"Pull Request successfully merged\"}",
            "PUT /api/v3/repos/org/repo/contents/README.md",
            """
            {"content": {"name": "README.md", "path": "README.md", "sha": "111"},
             "commit": {"sha": "abc123", "message": "Add readme"}}""");

    private final HttpServer services;

    OutsideWorld() throws IOException {
        services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        services.createContext("/", OutsideWorld::answer);
        services.start();
    }

    private static String repository() {
        return "{\"id\": 1, \"name\": \"repo\", \"full_name\": \"org/repo\", \"owner\": {\"login\": \"org\", \"id\": 2},"
                + " \"html_url\": \"https://github.com/org/repo\"}";
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String line = exchange.getRequestMethod() + " " + path;
            boolean known = path.equals("/page")
                    || ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String body = known ? ANSWERS.get(line) : "{\"message\": \"Bad credentials\"}";
            byte[] bytes = (body == null ? "{\"message\": \"Not Found\"}" : body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", path.equals("/page") ? "text/html" : "application/json");
            int status = !known ? 401 : body == null ? 404 : line.startsWith("POST") ? 201 : 200;
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Host and port. */
    String authority() {
        return "127.0.0.1:" + services.getAddress().getPort();
    }

    /** Configures a server with this home to reach it. */
    void knownTo(Path home) throws IOException {
        Path token = Files.writeString(home.resolve("token"), TOKEN);
        Files.writeString(home.resolve("toolgate.yaml"), """
                network: {internal_places: {default: ['%s']}}
                tools: {github: {api_url: 'http://%s/api/v3'}}
                secrets: {default: {GITHUB_TOKEN: 'file:%s'}}
                """.formatted(authority(), authority(), token));
    }

    @Override
    public void close() {
        services.stop(0);
    }
}
