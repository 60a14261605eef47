package dev.toolgate.server.upstream;

import dev.toolgate.mcp.fixture.JdkDoor;
import dev.toolgate.mcp.fixture.OpenSubscriptions;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.InMemorySessionStore;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.http.OriginPolicy;
import dev.toolgate.mcp.server.http.StreamSettings;
import dev.toolgate.mcp.server.http.StreamableHttp;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedPrompts;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An MCP server over HTTP with prompts and resources that the test changes; it notifies its subscribers. */
public final class AnnouncingMcpServer implements AutoCloseable {
    private static final CacheHint CACHE = new CacheHint(Duration.ZERO, CacheHint.Scope.PRIVATE);

    private final McpEngine engine;
    private final JdkDoor door;
    private final OpenSubscriptions subscriptions = new OpenSubscriptions();
    private final AtomicInteger opened = new AtomicInteger();
    private volatile List<String> prompts = List.of();
    private volatile List<String> resources = List.of();
    private volatile CountDownLatch answering = new CountDownLatch(0);

    /** Starts one on a free port. */
    public AnnouncingMcpServer() throws IOException {
        engine = new McpEngine(
                new ServerOffer(
                        new Implementation("announcing", "1"),
                        null,
                        new NoTools(),
                        new Resources(),
                        new Prompts(),
                        null,
                        null,
                        Map.of()),
                SessionRelay.NONE,
                EngineSettings.DEFAULT);
        door = new JdkDoor(new StreamableHttp(
                engine,
                new InMemorySessionStore(100, Duration.ofMinutes(10), InstantSource.system()),
                new RpcReader(RpcLimits.DEFAULT),
                new OriginPolicy(Set.of()),
                new StreamSettings(Duration.ofMillis(200), Duration.ofSeconds(5))));
    }

    public String url() {
        return door.url();
    }

    public int port() {
        return URI.create(url()).getPort();
    }

    /** Offers these prompts from now on, and notifies subscribers. */
    public void prompts(String... names) {
        prompts = List.of(names);
        engine.subscriptions().publish(new ServerChange.PromptsChanged(), _ -> true);
    }

    /** Offers these resources from now on, and notifies subscribers. */
    public void resources(String... uris) {
        resources = List.of(uris);
        engine.subscriptions().publish(new ServerChange.ResourcesChanged(), _ -> true);
    }

    /** Answers no list of resources from now on. */
    public void hangOnResources() {
        answering = new CountDownLatch(1);
    }

    /** Answers all lists of resources, also those that wait. */
    public void answerResources() {
        answering.countDown();
    }

    /** The resources that clients are subscribed to. */
    public List<String> subscribed() {
        return subscriptions.uris();
    }

    /** How often clients have subscribed to a resource. */
    public int subscriptions() {
        return opened.get();
    }

    /** Notifies those who are subscribed to a resource. */
    public void update(String uri) {
        engine.subscriptions().publish(new ServerChange.ResourceUpdated(uri), _ -> true);
    }

    @Override
    public void close() {
        engine.close();
        door.close();
    }

    private static ListPage page(List<String> names, String field) {
        ArrayNode page = JsonNodeFactory.instance.arrayNode();
        for (String each : names) {
            ObjectNode entry = page.addObject().put("name", each);
            entry.put(field, each);
        }
        return new ListPage(page, null, CACHE);
    }

    private static final class NoTools implements OfferedTools {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            return page(List.of(), "name");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) {
            throw RpcErrorCode.INVALID_PARAMS.exception("There are no tools.");
        }
    }

    private final class Prompts implements OfferedPrompts {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            return page(prompts, "name");
        }

        @Override
        public CallOutcome get(RequestContext context, String name, ObjectNode arguments, InputAnswers answers) {
            throw RpcErrorCode.INVALID_PARAMS.exception("Prompts are only listed here.");
        }
    }

    private final class Resources implements OfferedResources {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException {
            answering.await();
            return page(resources, "uri");
        }

        @Override
        public ListPage templates(RequestContext context, @Nullable String cursor) {
            return page(List.of(), "uriTemplate");
        }

        @Override
        public CallOutcome read(RequestContext context, String uri, InputAnswers answers) {
            throw RpcErrorCode.RESOURCE_NOT_FOUND.exception("Resources are only listed here.");
        }

        @Override
        public @Nullable ResourceSubscription subscribe(Object caller, String uri) {
            if (!resources.contains(uri)) {
                return null;
            }
            opened.incrementAndGet();
            return subscriptions.open(uri);
        }
    }
}
