package dev.toolgate.http.server;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.routing.RequestObserver;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/** A server on a free port of the loopback interface, and a client for it. */
public final class LiveServer implements AutoCloseable {
    /** Accepts a few fixed keys and records the credentials. */
    static final class FixedKeys implements Authenticator {
        final List<Credentials> seen = new CopyOnWriteArrayList<>();

        @Override
        public Identity identify(Credentials credentials) {
            seen.add(credentials);
            String key = String.valueOf(credentials.authorization());
            return switch (key) {
                case "Bearer admin" -> known(Role.ADMIN);
                case "Bearer auditor" -> known(Role.AUDITOR);
                case "Bearer agent" ->
                    new Identity.Known(Principal.of(
                            Principal.FIRST_TENANT, Role.AGENT, "key:agent", new AgentId("backend_dev_001")));
                case "Bearer hurried" -> new Identity.SlowedDown(Duration.ofMillis(2_500));
                case "Bearer outage" -> throw new dev.toolgate.core.call.Unavailable("db.internal is gone", null);
                default -> new Identity.Unknown("The key is unknown.");
            };
        }

        private static Identity known(Role role) {
            return new Identity.Known(Principal.of(Principal.FIRST_TENANT, role, "key:" + role.wireName(), null));
        }
    }

    public final FixedKeys keys = new FixedKeys();
    public final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public LiveServer(Route... routes) {
        this(defaults(), routes);
    }

    public LiveServer(HttpSettings settings, Route... routes) {
        this(settings, RequestObserver.NONE, routes);
    }

    public LiveServer(HttpSettings settings, RequestObserver observer, Route... routes) {
        try {
            server = HttpServer.start(settings, new Routes(List.of(routes)), keys, observer);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Short time-outs, for tests that wait for one; on a busy machine others may hit them, too. */
    public static HttpSettings quick() {
        return givingUpAfter(Duration.ofMillis(400));
    }

    static HttpSettings givingUpAfter(Duration silence) {
        return HttpSettings.plain(
                "127.0.0.1",
                List.of(0),
                silence.multipliedBy(2), // at the same moment as the other, the connection may close before the 408
                silence,
                1 << 20,
                1_000,
                1_000,
                10,
                Duration.ofMillis(50),
                Duration.ofSeconds(5));
    }

    /** The default time-outs, long enough for a busy machine. */
    public static HttpSettings defaults() {
        return HttpSettings.on("127.0.0.1", List.of(0));
    }

    /** The defaults with these limits on connections and requests. */
    static HttpSettings bounded(int maxConnections, int maxRequests) {
        HttpSettings defaults = defaults();
        return HttpSettings.plain(
                defaults.host(),
                defaults.ports(),
                defaults.idle(),
                defaults.requestTimeout(),
                defaults.minBodyRate(),
                maxConnections,
                maxRequests,
                defaults.maxEventStreams(),
                defaults.heartbeat(),
                defaults.grace());
    }

    int port() {
        return server.ports().getFirst();
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(Duration.ofSeconds(30));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    public HttpResponse<String> get(String path) {
        return send(request(path));
    }

    HttpResponse<String> post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    HttpResponse<String> post(String path, byte[] json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json)));
    }

    public RawConnection raw() {
        return new RawConnection(port());
    }

    public static JsonNode error(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body()).path("error");
    }

    @Override
    public void close() {
        try {
            client.close();
            server.stop(Duration.ZERO);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
