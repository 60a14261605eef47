package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.http.OriginPolicy;
import dev.toolgate.mcp.server.http.StreamSettings;
import dev.toolgate.mcp.server.http.StreamableHttp;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.door.artifact.ArtifactReads;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.store.Database;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.heldcall.CallLookup;
import dev.toolgate.store.heldcall.HeldCallWithdrawal;
import dev.toolgate.store.mcp.McpSessionTable;
import dev.toolgate.store.mcp.PendingCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The gate as an MCP server: wires the engine, what it offers, and its transport. */
public final class McpDoor implements AutoCloseable {
    private static final String INSTRUCTIONS =
            "These tools run behind a gate that decides on every call. If a call needs a person's approval, its result"
                    + " says so: send the same call with the same arguments again to collect the outcome.";

    private final McpEngine engine;
    private final StreamableHttp http;
    private final List<DatabaseListener.Subscription> watching;

    private McpDoor(McpEngine engine, StreamableHttp http, List<DatabaseListener.Subscription> watching) {
        this.engine = engine;
        this.http = http;
        this.watching = List.copyOf(watching);
    }

    /**
     * Opens the door.
     *
     * @param version of the server
     * @param origins origins of pages that may use it
     * @param reread reloads the permissions of a tenant
     * @param address the public address of the console
     */
    public static McpDoor open(
            Gate gate,
            CallCollector collector,
            ToolCatalog catalog,
            ArtifactReads artifacts,
            ApprovalAnswerHandler answerHandler,
            Database database,
            McpSessionTable sessions,
            Consumer<TenantId> reread,
            PublicAddress address,
            String version,
            Set<String> origins,
            int maxBodyBytes,
            InstantSource clock) {
        PendingCalls pending = new PendingCalls(database.jdbi());
        HeldMcpCalls heldCalls = new HeldMcpCalls(
                gate,
                pending,
                new CallLookup(database.jdbi()),
                new ApprovalForms(answerHandler),
                new ApprovalPages(address),
                clock);
        ListWatch lists = new ListWatch(reread, ListWatch.DEFAULT_INTERVAL);
        StoredSessions stored = new StoredSessions(sessions);
        McpRelay relay = new McpRelay(database.jdbi(), stored::tenantOf);
        ExposedTools exposed = new ExposedTools(catalog);
        GateTools tools = new GateTools(gate, exposed, heldCalls, lists, artifacts);
        SourceCalls sources = new SourceCalls(gate, exposed, heldCalls);
        GateResources resources = new GateResources(new ArtifactResources(artifacts), sources, lists);
        GatePrompts prompts = new GatePrompts(sources, lists);
        McpEngine engine = new McpEngine(
                new ServerOffer(
                        new Implementation("toolgate", version, "Toolgate"),
                        INSTRUCTIONS,
                        new SearchableTools(tools),
                        resources,
                        prompts,
                        new GateCompletions(prompts, resources),
                        new GateTasks(
                                gate,
                                collector,
                                pending,
                                heldCalls,
                                new HeldCallWithdrawal(database.jdbi()),
                                artifacts),
                        Map.of()),
                relay,
                EngineSettings.DEFAULT);
        lists.notifyThrough(
                engine,
                Map.of(
                        ListWatch.Kind.TOOLS, caller -> GateTools.listed(tools.visible(caller)),
                        ListWatch.Kind.PROMPTS, prompts::listed,
                        ListWatch.Kind.RESOURCES, resources::listed));
        resources.notifyThrough(engine);
        catalog.onChange(lists::catalogChanged);
        relay.passTo(engine);
        StreamableHttp http = new StreamableHttp(
                engine,
                stored,
                new RpcReader(RpcLimits.DEFAULT.withMaxBytes(maxBodyBytes)),
                new OriginPolicy(origins),
                StreamSettings.DEFAULT);
        return new McpDoor(
                engine,
                http,
                List.of(
                        database.listener().subscribe(lists),
                        database.listener().subscribe(relay)));
    }

    StreamableHttp http() {
        return http;
    }

    /** Ends the notification streams of clients; running requests continue. */
    void endListening() {
        engine.close();
    }

    @Override
    public void close() {
        watching.forEach(DatabaseListener.Subscription::close);
        engine.close();
        http.close();
    }
}
