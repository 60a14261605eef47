package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Artifacts, which results link to, and resources of the servers behind the gate, under the URIs of those servers. If
 * two servers have the same URI, the first server by name wins.
 */
final class GateResources implements OfferedResources {
    private static final CacheHint CACHE = new CacheHint(Duration.ZERO, CacheHint.Scope.PRIVATE);

    private final ArtifactResources artifacts;
    private final SourceCalls sources;
    private final ListWatch lists;
    private final SubscriptionShares shares = new SubscriptionShares();
    private final ResourceUpdates updates = new ResourceUpdates(this::publish);
    private volatile @Nullable McpEngine engine;

    GateResources(ArtifactResources artifacts, SourceCalls sources, ListWatch lists) {
        this.artifacts = artifacts;
        this.sources = sources;
        this.lists = lists;
    }

    /** A list of a source. */
    @FunctionalInterface
    private interface Listing {
        List<ObjectNode> of(ResourceSource source) throws InterruptedException;
    }

    @Override
    public ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException {
        return page(context, cursor, "uri", ResourceSource::resources);
    }

    @Override
    public ListPage templates(RequestContext context, @Nullable String cursor) throws InterruptedException {
        return page(context, cursor, "uriTemplate", ResourceSource::templates);
    }

    private ListPage page(RequestContext context, @Nullable String cursor, String address, Listing listing)
            throws InterruptedException {
        if (cursor != null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The cursor must come from the page before.");
        }
        McpCaller caller = McpCaller.of(context);
        GateTools.requireActing(caller);
        ArrayNode page = JsonNodeFactory.instance.arrayNode();
        Set<String> seen = new LinkedHashSet<>();
        for (ResourceSource source : sources.visible(caller, ResourceSource.class)) {
            for (ObjectNode listed : listing.of(source)) {
                if (seen.add(listed.path(address).asString(""))) {
                    page.add(listed);
                }
            }
        }
        lists.listed(caller, ListWatch.Kind.RESOURCES, listed(caller));
        return new ListPage(page, null, CACHE);
    }

    /** What a caller sees, including templates, without connecting to servers that have not been queried yet. */
    List<ListWatch.Listed> listed(McpCaller caller) throws InterruptedException {
        return sources.listed(caller, ResourceSource.class, ResourceSource::known);
    }

    @Override
    public CallOutcome read(RequestContext context, String uri, InputAnswers answers) throws InterruptedException {
        if (ArtifactResources.isArtifact(uri)) {
            return artifacts.read(context, uri);
        }
        McpCaller caller = McpCaller.of(context);
        GateTools.requireActing(caller);
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("uri", uri);
        ToolInvocation asked = new ToolInvocation(uri, params, answers, null);
        CallOutcome resumed = sources.resume(context, asked);
        if (resumed != null) {
            return resumed;
        }
        Supplier<RpcException> absent = () -> ArtifactResources.absent(uri);
        ResourceSource source = sourceOf(uri, sources.visible(caller, ResourceSource.class));
        List<SourceCalls.SourceRequest> toOthers = requestsToOthers(caller, source, params);
        CallOutcome collected = source == null
                ? sources.collect(context, asked, toOthers, absent)
                : sources.collectElsewhere(context, asked, toOthers, absent);
        if (collected != null) {
            return collected;
        }
        if (source == null) {
            sources.refused(context, GateTools.shown(uri));
            throw absent.get();
        }
        return sources.call(context, asked, source, params, absent);
    }

    // The request may have gone to a server that the caller may not use any more.
    private List<SourceCalls.SourceRequest> requestsToOthers(
            McpCaller caller, @Nullable ResourceSource source, ObjectNode params) {
        return sources.all(caller, ResourceSource.class).stream()
                .filter(other -> source == null
                        || !other.spec().name().equals(source.spec().name()))
                .map(other -> new SourceCalls.SourceRequest(other, params))
                .toList();
    }

    // A URI that no server lists may come from a link in a tool's result.
    private static @Nullable ResourceSource sourceOf(String uri, List<ResourceSource> visible)
            throws InterruptedException {
        ResourceSource listing = listing(uri, visible);
        return listing == null ? onlyOne(visible) : listing;
    }

    private static @Nullable ResourceSource onlyOne(List<ResourceSource> visible) {
        return visible.size() == 1 ? visible.getFirst() : null;
    }

    /** The server that lists a URI, or else one with a template that fits. */
    private static @Nullable ResourceSource listing(String uri, List<ResourceSource> visible)
            throws InterruptedException {
        for (ResourceSource source : visible) {
            if (source.resources().stream()
                    .anyMatch(listed -> listed.path("uri").asString("").equals(uri))) {
                return source;
            }
        }
        for (ResourceSource source : visible) {
            if (source.templates().stream()
                    .anyMatch(listed ->
                            UriTemplate.fits(listed.path("uriTemplate").asString(""), uri))) {
                return source;
            }
        }
        return null;
    }

    /** Completes an argument of a template; null if the caller may see no such template. */
    @Nullable
    CallOutcome complete(RequestContext context, String template, ObjectNode params) throws InterruptedException {
        for (ResourceSource source : sources.visible(McpCaller.of(context), ResourceSource.class)) {
            if (source.templates().stream()
                    .anyMatch(listed -> listed.path("uriTemplate").asString("").equals(template))) {
                return sources.complete(context, source, params, () -> ArtifactResources.absent(template));
            }
        }
        return null;
    }

    /** Sets the engine whose clients are notified of changed resources. */
    void notifyThrough(McpEngine listening) {
        engine = listening;
    }

    /**
     * Artifacts never change; a server's notifications about its resources go to clients that may read them at once.
     * Nobody is asked for an approval, and nothing is recorded: a stream that is open renews its subscriptions by
     * itself.
     */
    @Override
    public @Nullable ResourceSubscription subscribe(Object client, String uri) throws InterruptedException {
        McpCaller caller = (McpCaller) client;
        ResourceSource source = sourceOf(uri, sources.visible(caller, ResourceSource.class));
        if (source == null || !mayRead(caller, source, uri)) {
            return null;
        }
        return shares.open(caller, source.spec().name(), uri, () -> {
            ResourceSource.Subscription opened = source.subscribe(uri, updates.of(caller.tenant(), source));
            return opened == null ? null : opened::close;
        });
    }

    private boolean mayRead(McpCaller caller, ResourceSource source, String uri) {
        return sources.isAllowed(
                caller, source, JsonNodeFactory.instance.objectNode().put("uri", uri));
    }

    private void publish(TenantId tenant, ResourceSource source, String uri) {
        McpEngine listening = engine;
        if (listening == null) {
            return;
        }
        AtomicBoolean undecided = new AtomicBoolean();
        listening
                .subscriptions()
                .publish(
                        new ServerChange.ResourceUpdated(uri),
                        object -> object instanceof McpCaller listener
                                && listener.tenant().equals(tenant)
                                && isStillAllowed(listener, source, uri, undecided));
        if (undecided.get()) {
            throw new Unavailable("Some listeners of the resource could not be checked.", null);
        }
    }

    private boolean isStillAllowed(McpCaller caller, ResourceSource source, String uri, AtomicBoolean undecided) {
        try {
            return mayRead(caller, source, uri);
        } catch (RpcException unavailable) {
            undecided.set(true);
            return false;
        }
    }
}
