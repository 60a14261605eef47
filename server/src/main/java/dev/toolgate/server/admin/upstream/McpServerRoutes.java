package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.Urls;
import dev.toolgate.server.upstream.UpstreamRegistry;
import dev.toolgate.server.upstream.UserAccounts;
import dev.toolgate.store.upstream.ConflictingFields;
import dev.toolgate.store.upstream.McpCredentials;
import dev.toolgate.store.upstream.McpServerJson;
import dev.toolgate.store.upstream.McpServerRepository;
import dev.toolgate.store.upstream.McpServerRepository.PinChange;
import dev.toolgate.store.upstream.McpServerRepository.ServerWithTools;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.PinnedDefinition;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Routes to administer MCP servers, and to agree to their tool definitions. */
public final class McpServerRoutes {
    private static final String ALL = "/api/v1/mcp/servers";
    private static final String ONE = ALL + "/{server_name}";
    private static final String TOOL = ONE + "/tools/{mcp_tool}";
    private static final String SERVERS = "mcp_servers";
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final JsonRecord<ServerBody> body = JsonRecord.of(ServerBody.class);
    private final JsonRecord<ServerBody.New> newServer = JsonRecord.of(ServerBody.New.class);
    private final JsonRecord<Answer> answer = JsonRecord.of(Answer.class);
    private final McpServerRepository servers;
    private final UpstreamRegistry registry;
    private final UserAccounts userAccounts;
    private final Administration administration;

    public McpServerRoutes(
            McpServerRepository servers,
            UpstreamRegistry registry,
            UserAccounts userAccounts,
            Administration administration) {
        this.servers = servers;
        this.registry = registry;
        this.userAccounts = userAccounts;
        this.administration = administration;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess read = RouteAccess.needs(Right.READ_PERMISSIONS);
        RouteAccess manage = RouteAccess.needs(Right.MANAGE_SERVERS);
        return List.of(
                Route.get(ALL, read, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.post(ALL, manage, Dialect.STANDARD, administration.handler(SERVERS, "create", this::add)),
                Route.get(ONE, read, Dialect.STANDARD, this::show),
                Route.patch(ONE, manage, Dialect.STANDARD, administration.handler(SERVERS, "update", this::update))
                        .withQuery(Authors.REASON),
                Route.delete(ONE, manage, Dialect.STANDARD, administration.handler(SERVERS, "delete", this::remove))
                        .withQuery(Authors.REASON),
                Route.post(
                        ONE + "/refresh",
                        manage,
                        Dialect.STANDARD,
                        administration.handler(SERVERS, "refresh", this::refresh)),
                Route.get(TOOL, read, Dialect.STANDARD, this::showTool).withSlashesIn("mcp_tool"),
                Route.post(TOOL, manage, Dialect.STANDARD, administration.handler("mcp_tools", "answer", this::answer))
                        .withSlashesIn("mcp_tool"));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        ServerName after = page.after(McpServerRoutes::name);
        List<ServerWithTools> found = servers.all(tenant(exchange)).stream()
                .filter(each -> after == null || each.server().name().compareTo(after) > 0)
                .limit(page.limitPlusOne())
                .toList();
        return page.answer(
                ALL,
                found,
                each -> each.server().name().value(),
                each -> ServerAnswer.summary(each, state(each.server())));
    }

    private Response show(Exchange exchange) {
        return Response.json(details(find(exchange)));
    }

    private Response add(Exchange exchange, Change change) {
        ObjectNode sent = exchange.json();
        ServerBody.New wanted = newServer.read(sent);
        requireNoNulls(without(sent, "reason"));
        ServerName name = name(wanted.name());
        McpServerSettings settings = settings(wanted.body(), conflict -> new BadRequest(inField(conflict)));
        requireIssuerOfClient(settings);
        TenantId tenant = tenant(exchange);
        change.about("server_name", name.value())
                .because(Authors.of(exchange, wanted.reason()).reason());
        if (servers.find(tenant, name).isPresent()) {
            throw taken(name);
        }
        change.begin(null);
        // The tools of a server with user accounts are listed once a user has connected one.
        List<PinnedDefinition> found =
                settings.enabled() && !settings.hasUserAccounts() ? probe(tenant, name, settings) : null;
        ServerWithTools added = FailureMapping.unknownAsConflict(() -> servers.add(
                        tenant,
                        name,
                        StoredServer.Source.API,
                        settings,
                        found,
                        wanted.firstTools(),
                        exchange.principal().name()))
                .orElseThrow(() -> taken(name));
        change.changedTo(ServerAnswer.recorded(added));
        registry.reload(tenant);
        return new Response.Json(201, details(added), Map.of("Location", Urls.of(ALL, name.value())));
    }

    private List<PinnedDefinition> probe(TenantId tenant, ServerName name, McpServerSettings settings) {
        try {
            return registry.probe(tenant, name, settings);
        } catch (McpFailure failed) {
            throw unusable(tenant, name, failed, "; it was not added. Add it with enabled=false to connect later");
        }
    }

    private HttpFailure unusable(TenantId tenant, ServerName name, McpFailure failed, String consequence) {
        String why = registry.withoutSecrets(tenant, name, String.valueOf(failed.getMessage()));
        return HttpFailure.conflict("The MCP server '" + name + "' cannot be used: "
                + (why.endsWith(".") ? why.substring(0, why.length() - 1) : why) + consequence + ".");
    }

    private Response update(Exchange exchange, Change change) {
        ObjectNode patch = exchange.json();
        body.read(patch);
        requireNoNulls(without(patch, "credentials", "allowed_tools"));
        ServerWithTools before = find(exchange);
        requireOwn(before.server());
        ObjectNode merged = McpServerJson.write(before.server().settings());
        patch.forEachEntry((field, value) -> {
            if (value.isNull()) {
                merged.remove(field);
            } else {
                merged.set(field, value);
            }
        });
        McpServerSettings settings = settings(body.read(merged), conflict -> HttpFailure.conflict(inField(conflict)));
        if (patch.has("credentials")) {
            requireIssuerOfClient(settings);
        }
        TenantId tenant = tenant(exchange);
        change.because(Authors.of(exchange).reason()).begin(ServerAnswer.recorded(before));
        StoredServer server = before.server();
        ServerWithTools after = servers.update(
                        tenant,
                        server.name(),
                        server.revision(),
                        settings,
                        exchange.principal().name())
                .orElseThrow(() -> HttpFailure.conflict(
                        "The MCP server '" + server.name() + "' was changed concurrently; read it again."));
        change.changedTo(ServerAnswer.recorded(after));
        registry.reload(tenant);
        return Response.json(details(after));
    }

    private Response remove(Exchange exchange, Change change) {
        ServerWithTools before = find(exchange);
        requireOwn(before.server());
        change.because(Authors.of(exchange).reason()).begin(ServerAnswer.recorded(before));
        ServerName name = before.server().name();
        userAccounts.revokeRemoved(servers.remove(tenant(exchange), name).orElseThrow(() -> unknown(name)));
        registry.reload(tenant(exchange));
        return Response.empty();
    }

    private Response refresh(Exchange exchange, Change change) {
        ServerWithTools before = find(exchange);
        ServerName name = before.server().name();
        change.begin(ServerAnswer.recorded(before));
        try {
            if (!registry.refresh(tenant(exchange), name, exchange.principal().name())) {
                throw HttpFailure.conflict("The MCP server '" + name + "' is disabled; enable it first.");
            }
        } catch (McpFailure failed) {
            throw unusable(tenant(exchange), name, failed, "");
        }
        ServerWithTools after = find(exchange);
        change.changedTo(ServerAnswer.recorded(after));
        return Response.json(details(after));
    }

    private Response showTool(Exchange exchange) {
        ServerWithTools server = find(exchange);
        String tool = exchange.path("mcp_tool");
        return Response.json(server.tools().stream()
                .filter(pin -> pin.tool().equals(tool))
                .findFirst()
                .map(pin ->
                        ServerAnswer.tool(server.server(), pin, problems(server).get(tool)))
                .orElseThrow(() -> noTool(server.server().name(), tool)));
    }

    private Response answer(Exchange exchange, Change change) {
        Answer given = exchange.json(answer);
        if (!HASH.matcher(given.hash()).matches()) {
            throw new BadRequest("Field 'hash' must be 64 hexadecimal digits in lower case.");
        }
        ServerWithTools server = find(exchange);
        ServerName name = server.server().name();
        String tool = exchange.path("mcp_tool");
        String by = exchange.principal().name();
        change.because(Authors.of(exchange, given.reason()).reason());
        server.tools().stream()
                .filter(pin -> pin.tool().equals(tool))
                .findFirst()
                .ifPresentOrElse(pin -> change.begin(ServerAnswer.recorded(pin)), () -> {
                    throw noTool(name, tool);
                });
        TenantId tenant = tenant(exchange);
        PinChange result = given.agreed()
                ? servers.agree(tenant, name, tool, given.hash(), by)
                : servers.refuse(tenant, name, tool, given.hash(), by);
        return switch (result) {
            case PinChange.Unknown() -> throw noTool(name, tool);
            case PinChange.Outdated _ ->
                throw HttpFailure.conflict("The definition with this hash is not the one that waits for tool '" + tool
                        + "' of MCP server '" + name + "'; read the tool again.");
            case PinChange.Changed changed -> {
                change.changedTo(ServerAnswer.recorded(changed.after()));
                registry.reload(tenant);
                yield Response.json(ServerAnswer.tool(
                        server.server(), changed.after(), problems(server).get(tool)));
            }
        };
    }

    /**
     * @param conflicting the failure for conflicting fields: for a new server the request is invalid, for an update it
     *     conflicts with the current state
     */
    private static McpServerSettings settings(ServerBody wanted, Function<ConflictingFields, HttpFailure> conflicting) {
        McpServerSettings settings;
        try {
            settings = wanted.settings();
        } catch (ConflictingFields conflict) {
            throw conflicting.apply(conflict);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(inField(wrong));
        }
        SecretsInClear.in(settings).ifPresent(field -> {
            throw HttpFailure.conflict("Field '" + field + "' seems to hold a secret, which would be stored in clear;"
                    + " name a secret in secrets or credentials instead.");
        });
        return settings;
    }

    private static void requireIssuerOfClient(McpServerSettings settings) {
        McpCredentials credentials = settings.credentials();
        try {
            if (credentials != null) {
                credentials.requireIssuerOfClient();
            }
        } catch (IllegalArgumentException missing) {
            throw new BadRequest(inField(missing));
        }
    }

    private static String inField(IllegalArgumentException wrong) {
        return "Field '" + String.valueOf(wrong.getMessage()).replaceFirst(": ", "': ") + ".";
    }

    private static void requireNoNulls(ObjectNode sent) {
        sent.forEachEntry((field, value) -> {
            if (value.isNull()) {
                throw new BadRequest("Field '" + field + "' must not be null; leave it out.");
            }
            if (field.equals("credentials") && value instanceof ObjectNode credentials) {
                requireNoNulls(credentials);
            }
        });
    }

    private static ObjectNode without(ObjectNode sent, String... fields) {
        ObjectNode rest = sent.deepCopy();
        rest.remove(List.of(fields));
        return rest;
    }

    private ObjectNode details(ServerWithTools server) {
        StoredServer stored = server.server();
        return ServerAnswer.details(server, state(stored), problems(server));
    }

    private Optional<UpstreamState> state(StoredServer server) {
        return registry.state(server.tenant(), server.name())
                .map(state -> state instanceof UpstreamState.Unavailable gone
                        ? new UpstreamState.Unavailable(
                                registry.withoutSecrets(server.tenant(), server.name(), gone.why()),
                                gone.since(),
                                gone.retryAt())
                        : state);
    }

    private Map<String, String> problems(ServerWithTools server) {
        return registry.problems(server.server().tenant(), server.server().name());
    }

    private static void requireOwn(StoredServer server) {
        if (server.source() == StoredServer.Source.SETTINGS) {
            throw HttpFailure.conflict("The MCP server '" + server.name()
                    + "' is in the file of settings; change it there and restart the server.");
        }
    }

    private ServerWithTools find(Exchange exchange) {
        ServerName name = name(exchange.path("server_name"));
        return servers.find(tenant(exchange), name).orElseThrow(() -> unknown(name));
    }

    private static ServerName name(String text) {
        return FailureMapping.unknownAsConflict(() -> new ServerName(text));
    }

    private static HttpFailure unknown(ServerName name) {
        return HttpFailure.notFound("There is no MCP server '" + name + "'.");
    }

    private static HttpFailure taken(ServerName name) {
        return HttpFailure.conflict("There is an MCP server '" + name + "' already.");
    }

    private static HttpFailure noTool(ServerName name, String tool) {
        return HttpFailure.notFound("The MCP server '" + name + "' has no tool '" + tool + "'.");
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    /**
     * @param hash of the definition that the person has reviewed
     */
    private record Answer(
            boolean agreed, String hash, @Nullable String reason) {}
}
