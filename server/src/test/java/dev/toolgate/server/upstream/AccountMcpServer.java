package dev.toolgate.server.upstream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An MCP server whose users have accounts, together with its authorization server: PKCE is checked, codes and refresh tokens
 * are accepted once, and a reused refresh token ends the account's access. Its tool returns whose account was used.
 */
public final class AccountMcpServer implements AutoCloseable {
    private record Failure(String path, int status, String body) {}

    private record Code(String user, String clientId, String challenge, String redirectUri) {}

    /** A reply of the token endpoint that is held back. */
    private record Held(CountDownLatch reached, CountDownLatch released) {}

    private final HttpServer http;
    /** The redirect URIs of registered clients, by their ids. */
    private final Map<String, String> clients = new ConcurrentHashMap<>();

    private final Map<String, Code> codes = new ConcurrentHashMap<>();
    private final Map<String, String> accessTokens = new ConcurrentHashMap<>();
    private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
    private final List<String> issued = new CopyOnWriteArrayList<>();
    private final List<String> revoked = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final List<String> reused = new CopyOnWriteArrayList<>();
    private final AtomicInteger refreshes = new AtomicInteger();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger endedTogether = new AtomicInteger();
    private volatile CountDownLatch ends = new CountDownLatch(0);
    private volatile int lifetimeSeconds = 3600;
    private volatile @Nullable String namedIssuer;
    private volatile @Nullable Failure failure;
    private final AtomicReference<@Nullable Failure> single = new AtomicReference<>();
    private volatile @Nullable String nextToken;
    private volatile @Nullable Held held;
    private volatile @Nullable String clientSecret;

    /** Starts one on a free port. */
    public static AccountMcpServer open() {
        try {
            return new AccountMcpServer();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private AccountMcpServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::answer);
        http.start();
    }

    public int port() {
        return http.getAddress().getPort();
    }

    public String origin() {
        return "http://127.0.0.1:" + port();
    }

    public String url() {
        return origin() + "/mcp";
    }

    /** A request that adds it under a name. */
    public String server(String name) {
        return "{\"name\": \"" + name + "\", \"url\": \"" + url()
                + "\", \"plain_http\": true, \"credentials\": {\"kind\": \"user\"}}";
    }

    /** The same with a client that was registered by hand. */
    public String server(String name, String client) {
        return server(name)
                .replace(
                        "{\"kind\": \"user\"}",
                        "{\"kind\": \"user\", \"client_id\": \"" + client + "\", \"issuer\": \"" + origin() + "\"}");
    }

    /** How long access tokens are valid from now on. */
    void expireAfter(int seconds) {
        lifetimeSeconds = seconds;
    }

    /** Expires all access tokens, but not the refresh tokens. */
    void expireAccessTokens() {
        accessTokens.clear();
    }

    /** Issues this access token next, which the tool then repeats. */
    void issueNext(String accessToken) {
        nextToken = accessToken;
    }

    /** Sets the issuer in the redirect back to the gate. */
    void nameIssuer(String issuer) {
        namedIssuer = issuer;
    }

    /** Answers no request to end a session before there are so many. */
    void awaitEnds(int sessions) {
        endedTogether.set(0);
        ends = new CountDownLatch(sessions);
    }

    /** How many sessions were ended while the others were. */
    int endedTogether() {
        return endedTogether.get();
    }

    /** Answers all requests for paths that begin like this with a failure, until {@link #work}. */
    void fail(String path, int status, String body) {
        failure = new Failure(path, status, body);
    }

    /** Answers the next request for a path that begins like this with a failure. */
    void failOnce(String path, int status, String body) {
        single.set(new Failure(path, status, body));
    }

    /** Ends the failure, and sends the tokens that were held back. */
    void work() {
        failure = null;
        Held holding = held;
        held = null;
        if (holding != null) {
            holding.released().countDown();
        }
    }

    /** Issues tokens, but does not send them until {@link #work}. */
    void holdTokens() {
        held = new Held(new CountDownLatch(1), new CountDownLatch(1));
    }

    /** Waits until a token is held back. */
    void awaitHeldToken() throws InterruptedException {
        Objects.requireNonNull(held).reached().await();
    }

    /** Registers a client by hand. */
    public void register(String client, String redirectUri) {
        clients.put(client, redirectUri);
    }

    /** Requires this secret of clients at the token endpoint from now on; none if null. */
    void requireSecret(@Nullable String secret) {
        clientSecret = secret;
    }

    /** Removes the registrations of all clients. */
    void forgetClients() {
        clients.clear();
    }

    /** The redirect URIs of registered clients, by their ids. */
    Map<String, String> clients() {
        return clients;
    }

    /** Revokes all tokens. */
    void forgetEverything() {
        accessTokens.clear();
        refreshTokens.clear();
    }

    /** All tokens that were ever issued. */
    List<String> issued() {
        return issued;
    }

    List<String> revoked() {
        return revoked;
    }

    /** Refresh tokens that were used twice. */
    List<String> reused() {
        return reused;
    }

    /** The credentials that the MCP server has received. */
    List<String> authorizations() {
        return authorizations;
    }

    /** How many sessions were begun. */
    int sessions() {
        return sessions.get();
    }

    int refreshes() {
        return refreshes.get();
    }

    /** A user authorizes at the page that the gate has redirected to; returns the redirect back to the gate. */
    public URI authorize(URI page, String user) {
        Map<String, String> query = form(page.getRawQuery());
        String code = "code-" + UUID.randomUUID();
        String challenge = Objects.requireNonNull(query.get("code_challenge"));
        String client = Objects.requireNonNull(query.get("client_id"));
        String redirect = Objects.requireNonNull(query.get("redirect_uri"));
        if (!redirect.equals(clients.get(client))) {
            throw new IllegalArgumentException("The client " + client + " has not registered " + redirect);
        }
        codes.put(code, new Code(user, client, challenge, redirect));
        String issuer = namedIssuer;
        return URI.create(redirect + "?code=" + code + "&state=" + query.get("state") + "&iss="
                + URLEncoder.encode(issuer == null ? origin() : issuer, StandardCharsets.UTF_8));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            Failure once = single.get();
            if (once != null && path.startsWith(once.path()) && single.compareAndSet(once, null)) {
                send(exchange, once.status(), once.body());
                return;
            }
            Failure failing = failure;
            if (failing != null && path.startsWith(failing.path())) {
                send(exchange, failing.status(), failing.body());
                return;
            }
            switch (path) {
                case "/mcp" -> mcp(exchange, body);
                case "/.well-known/oauth-protected-resource/mcp" ->
                    send(
                            exchange,
                            200,
                            "{\"resource\": \"" + url() + "\", \"authorization_servers\": [\"" + origin() + "\"]}");
                case "/.well-known/oauth-authorization-server" -> send(exchange, 200, metadata());
                case "/register" -> {
                    String client = "client-" + UUID.randomUUID();
                    clients.put(
                            client,
                            Json.MAPPER.readTree(body).at("/redirect_uris/0").asString());
                    send(exchange, 201, "{\"client_id\": \"" + client + "\"}");
                }
                case "/token" -> token(exchange, form(body));
                case "/revoke" -> {
                    String token = form(body).getOrDefault("token", "");
                    revoked.add(token);
                    accessTokens.remove(token);
                    refreshTokens.remove(token);
                    send(exchange, 200, "{}");
                }
                default -> send(exchange, 404, "{}");
            }
        }
    }

    private String metadata() {
        return """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "registration_endpoint": "%1$s/register", "revocation_endpoint": "%1$s/revoke",
                 "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["%2$s"],
                 "authorization_response_iss_parameter_supported": true}""".formatted(origin(), clientSecret == null ? "none" : "client_secret_post");
    }

    private void token(HttpExchange exchange, Map<String, String> form) throws IOException {
        String client = form.getOrDefault("client_id", "");
        String secret = clientSecret;
        if (!clients.containsKey(client) || (secret != null && !secret.equals(form.get("client_secret")))) {
            send(exchange, 401, "{\"error\": \"invalid_client\"}");
            return;
        }
        String user = null;
        if ("authorization_code".equals(form.get("grant_type"))) {
            Code code = codes.remove(form.getOrDefault("code", ""));
            if (code != null
                    && code.clientId().equals(client)
                    && code.challenge().equals(challenge(form.getOrDefault("code_verifier", "")))
                    && code.redirectUri().equals(form.get("redirect_uri"))) {
                user = code.user();
            }
        } else {
            refreshes.incrementAndGet();
            String refresh = form.getOrDefault("refresh_token", "");
            user = refreshTokens.remove(refresh);
            if (user == null && issued.contains(refresh)) {
                reused.add(refresh);
            }
        }
        if (user == null) {
            send(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        String chosen = nextToken;
        nextToken = null;
        String access = chosen == null ? "access-" + UUID.randomUUID() : chosen;
        String refresh = "refresh-" + UUID.randomUUID();
        accessTokens.put(access, user);
        refreshTokens.put(refresh, user);
        issued.addAll(List.of(access, refresh));
        Held holding = held;
        if (holding != null) {
            holding.reached().countDown();
            try {
                holding.released().await();
            } catch (InterruptedException stopped) {
                throw new IOException(stopped);
            }
        }
        send(
                exchange,
                200,
                "{\"access_token\": \"" + access + "\", \"refresh_token\": \"" + refresh
                        + "\", \"token_type\": \"Bearer\", \"expires_in\": " + lifetimeSeconds + "}");
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void mcp(HttpExchange exchange, String body) throws IOException {
        String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        authorizations.add(shown);
        String user = shown.startsWith("Bearer ") ? accessTokens.get(shown.substring("Bearer ".length())) : null;
        if (user == null) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer resource_metadata=\"" + origin() + "/.well-known/oauth-protected-resource/mcp\"");
            send(exchange, 401, "{}");
        } else if (exchange.getRequestMethod().equals("DELETE")) {
            awaitOtherEnds();
            exchange.sendResponseHeaders(204, -1);
        } else if (!exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(405, -1);
        } else {
            JsonNode message = Json.MAPPER.readTree(body);
            if (message.path("id").isMissingNode()) {
                exchange.sendResponseHeaders(202, -1);
            } else {
                exchange.getResponseHeaders().set("Mcp-Session-Id", "session-of-" + user);
                send(exchange, 200, result(message, user, shown).toString());
            }
        }
    }

    // Shorter than a client waits for the answer, so that sessions that are ended in turn are not taken for parallel.
    private void awaitOtherEnds() {
        ends.countDown();
        try {
            if (ends.await(3, TimeUnit.SECONDS)) {
                endedTogether.incrementAndGet();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private ObjectNode result(JsonNode message, String user, String shown) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", message.get("id"));
        switch (message.path("method").asString("")) {
            case "initialize" -> {
                sessions.incrementAndGet();
                answer.set("result", Json.MAPPER.readTree("""
                        {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                         "serverInfo": {"name": "accounts", "version": "1"}}"""));
            }
            case "tools/list" ->
                answer.putObject("result")
                        .putArray("tools")
                        .add(Json.MAPPER.readTree(ChangingMcpServer.tool("whoami", "Says whose account this is.")));
            case "tools/call" ->
                answer.putObject("result")
                        .putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put("text", "the account of " + user + " by " + shown);
            case "ping" -> answer.putObject("result");
            default -> answer.putObject("error").put("code", -32601).put("message", "Unknown method");
        }
        return answer;
    }

    private static Map<String, String> form(String text) {
        Map<String, String> values = new TreeMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return values;
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
