package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
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
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.upstream.UpstreamRegistry;
import dev.toolgate.server.upstream.UserAccounts;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.upstream.AccountSubject;
import dev.toolgate.store.upstream.McpServerRepository;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import dev.toolgate.store.upstream.StoredServer;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes to connect accounts at MCP servers, to see which are connected, and to disconnect them. */
public final class AccountRoutes {
    private static final String ALL = "/api/v1/mcp/accounts";
    private static final String ACCOUNTS = "mcp_accounts";

    private final JsonRecord<Wanted> wanted = JsonRecord.of(Wanted.class);
    private final McpServerRepository servers;
    private final UserAccounts accounts;
    private final UpstreamRegistry registry;
    private final Administration administration;

    public AccountRoutes(
            McpServerRepository servers,
            UserAccounts accounts,
            UpstreamRegistry registry,
            Administration administration) {
        this.servers = servers;
        this.accounts = accounts;
        this.registry = registry;
        this.administration = administration;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess authenticated = RouteAccess.anyPrincipal();
        return List.of(
                Route.get(ALL, authenticated, Dialect.STANDARD, this::list).withQuery("limit", "after"),
                Route.delete(
                        ALL + "/{account_id}",
                        authenticated,
                        Dialect.STANDARD,
                        administration.handler(ACCOUNTS, "disconnect", this::disconnect)),
                Route.post(
                        "/api/v1/mcp/servers/{server_name}/account",
                        authenticated,
                        Dialect.STANDARD,
                        administration.handler(ACCOUNTS, "authorize", this::authorize)));
    }

    private Response list(Exchange exchange) {
        Principal principal = exchange.principal();
        Page page = Page.of(exchange);
        UUID after = page.after(text -> PathIds.uuid(text)
                .orElseThrow(() -> new BadRequest("The query parameter 'after' must be the id of an account.")));
        AccountSubject own = principal.may(Right.MANAGE_SERVERS)
                ? null
                : AccountOwner.own(principal).orElse(null);
        List<StoredAccount> found = own == null && !principal.may(Right.MANAGE_SERVERS)
                ? List.of()
                : accounts.list(principal.tenant(), own, after, page.limitPlusOne());
        return page.answer(ALL, found, account -> account.id().toString(), AccountAnswer::of);
    }

    private Response disconnect(Exchange exchange, Change change) {
        Principal principal = exchange.principal();
        StoredAccount account = PathIds.uuid(exchange.path("account_id"))
                .flatMap(id -> accounts.find(principal.tenant(), id))
                .filter(found -> AccountOwner.owns(principal, found.subject()))
                .orElseThrow(AccountRoutes::unknown);
        change.begin(AccountAnswer.of(account));
        StoredServer server = servers.find(account.tenant(), account.server())
                .map(McpServerRepository.ServerWithTools::server)
                .orElse(null);
        if (!accounts.disconnect(account, server)) {
            throw unknown();
        }
        registry.forget(account);
        return Response.empty();
    }

    private Response authorize(Exchange exchange, Change change) {
        Principal principal = exchange.principal();
        String agent = exchange.json(wanted).agentId();
        StoredServer server = server(exchange);
        AccountSubject subject = AccountOwner.of(principal, agent == null ? null : PathIds.agent(agent));
        change.about("subject", subject.text());
        // Only a browser can follow the redirect back, and only a logged-in one is known to be this person's.
        String login = exchange.header("Authorization").isPresent()
                ? null
                : exchange.sessionCookie().orElse(null);
        if (login == null) {
            throw HttpFailure.conflict("An account is connected in a browser: open /connect/mcp/" + server.name()
                    + " of this server there and log in.");
        }
        change.begin(null);
        UserAccounts.Begun begun;
        try {
            begun = accounts.begin(server, subject, SecretDigest.of(login));
        } catch (McpFailure failed) {
            throw unusable(server.tenant(), server.name(), failed);
        }
        return new Response.Json(
                200,
                new Authorization(begun.page(), begun.expiresAt()),
                Map.of("Set-Cookie", ConnectPages.cookie(begun)));
    }

    private StoredServer server(Exchange exchange) {
        ServerName name = FailureMapping.unknownAsConflict(() -> new ServerName(exchange.path("server_name")));
        StoredServer server = servers.find(exchange.principal().tenant(), name)
                .map(McpServerRepository.ServerWithTools::server)
                .orElseThrow(() -> HttpFailure.notFound("There is no MCP server '" + name + "'."));
        if (!server.settings().hasUserAccounts() || !server.settings().enabled()) {
            throw HttpFailure.conflict("The MCP server '" + name + "' takes no accounts of users.");
        }
        return server;
    }

    private HttpFailure unusable(TenantId tenant, ServerName name, McpFailure failed) {
        return HttpFailure.conflict("An account at MCP server '" + name + "' cannot be connected: "
                + registry.withoutSecrets(tenant, name, String.valueOf(failed.getMessage())));
    }

    private static HttpFailure unknown() {
        return HttpFailure.notFound("There is no account with this id.");
    }

    /**
     * @param agentId the agent whose calls will use the account; null for one's own
     */
    private record Wanted(@Nullable String agentId) {}

    /**
     * @param authorizationUrl the page of the authorization server, for the same browser
     */
    private record Authorization(URI authorizationUrl, Instant expiresAt) {}
}
