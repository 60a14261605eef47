package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Handler;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.AuthorizationAnswer;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.admin.MessagePage;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.identity.ConsoleLogins;
import dev.toolgate.server.upstream.ConnectAddress;
import dev.toolgate.server.upstream.UserAccounts;
import dev.toolgate.store.upstream.AccountRequest;
import dev.toolgate.store.upstream.McpServerRepository;
import dev.toolgate.store.upstream.StoredServer;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pages on which a person connects an account at an MCP server: the one where it begins, and the one that the
 * authorization server sends the browser back to. Neither shows anything from the request's URL or links to another
 * site.
 */
public final class ConnectPages {
    private static final String COOKIE = "toolgate_connect";
    private static final int COOKIE_SECONDS = 600;
    private static final String SCRIPT = "/*script*/";
    private static final String HASH_PARAMETER = "{issuer_hash}";

    private final McpServerRepository servers;
    private final UserAccounts accounts;
    private final ConsoleLogins logins;
    private final PublicAddress address;
    private final Administration administration;
    private final String script = MessagePage.resource("connect.js");
    private final String begin = MessagePage.resource("connect.html").replace(SCRIPT, script);

    public ConnectPages(
            McpServerRepository servers,
            UserAccounts accounts,
            ConsoleLogins logins,
            PublicAddress address,
            Administration administration) {
        this.servers = servers;
        this.accounts = accounts;
        this.logins = logins;
        this.address = address;
        this.administration = administration;
    }

    /** The routes. Authorization servers add parameters of their own; the common ones are accepted. */
    public List<Route> all() {
        return List.of(
                Route.get("/connect/mcp/{server_name}", RouteAccess.open(), Dialect.STANDARD, this::begin)
                        .withQuery("agent_id"),
                callback(ConnectAddress.CALLBACK, exchange -> end(exchange, ConnectAddress.CALLBACK)),
                callback(
                        ConnectAddress.callbackOf(HASH_PARAMETER),
                        exchange -> end(exchange, ConnectAddress.callbackOf(issuerHash(exchange)))),
                Route.get(
                        ConnectAddress.CLIENT_DOCUMENT,
                        RouteAccess.open(),
                        Dialect.STANDARD,
                        _ -> client(ConnectAddress.CLIENT_DOCUMENT, ConnectAddress.CALLBACK)),
                Route.get(
                        ConnectAddress.clientDocumentOf(HASH_PARAMETER),
                        RouteAccess.open(),
                        Dialect.STANDARD,
                        exchange -> client(
                                ConnectAddress.clientDocumentOf(issuerHash(exchange)),
                                ConnectAddress.callbackOf(issuerHash(exchange)))));
    }

    private static Route callback(String path, Handler handler) {
        return Route.get(path, RouteAccess.open(), Dialect.STANDARD, handler)
                .withQuery(
                        "code",
                        "state",
                        "iss",
                        "error",
                        "error_description",
                        "error_uri",
                        "scope",
                        "session_state",
                        "authuser",
                        "prompt",
                        "hd");
    }

    private static String issuerHash(Exchange exchange) {
        String hash = exchange.path("issuer_hash");
        if (!ConnectAddress.isHash(hash)) {
            throw HttpFailure.notFound("There is no such page.");
        }
        return hash;
    }

    /** The cookie that ties an authorization to the browser that began it; sent with the redirect back. */
    static String cookie(UserAccounts.Begun begun) {
        return COOKIE + "=" + begun.browser() + "; Path=/connect; Max-Age=" + COOKIE_SECONDS
                + "; HttpOnly; SameSite=Lax" + ("https".equals(begun.callback().getScheme()) ? "; Secure" : "");
    }

    private Response begin(Exchange exchange) {
        return MessagePage.page(200, begin, "script-src " + MessagePage.digest(script), "connect-src 'self'");
    }

    private Response end(Exchange exchange, String path) throws Exception {
        String state = AuthorizationAnswer.parameter(exchange, "state").orElse("");
        String browser = exchange.cookie(COOKIE).orElse("");
        AccountRequest request = accounts.take(state, browser).orElse(null);
        if (request == null) {
            return message(
                    409,
                    "This browser has no pending authorization, or it has expired. Begin again on the page"
                            + " where you started.");
        }
        Principal principal = logins.principal(request.login()).orElse(null);
        StoredServer server = servers.find(request.tenant(), request.server())
                .map(McpServerRepository.ServerWithTools::server)
                .filter(found ->
                        found.settings().hasUserAccounts() && found.settings().enabled())
                .orElse(null);
        if (principal == null || !principal.tenant().equals(request.tenant()) || server == null) {
            return message(409, "The log-in with which this was started has ended. Log in and begin again.");
        }
        try {
            connect(exchange, path, principal, request, server);
        } catch (HttpFailure refused) {
            return message(409, String.valueOf(refused.getMessage()));
        }
        return message(200, "The account is connected. You can close this page and send the call again.");
    }

    private void connect(
            Exchange exchange, String path, Principal principal, AccountRequest request, StoredServer server)
            throws HttpFailure {
        Change change = administration
                .change(principal, exchange.correlationId(), "mcp_accounts", "connect")
                .about("server_name", request.server().value())
                .about("subject", request.subject());
        change.recorded(() -> {
            change.begin(null);
            try {
                change.changedTo(AccountAnswer.of(
                        accounts.finish(request, server, AuthorizationAnswer.of(exchange, path), principal.name())));
            } catch (McpFailure failed) {
                throw HttpFailure.conflict("The account was not connected: " + failed.getMessage());
            }
            return request;
        });
    }

    // The client ID metadata document, by which authorization servers identify the gate.
    private Response client(String path, String callbackPath) {
        URI self = address.of(path).orElse(null);
        URI callback = address.of(callbackPath).orElse(null);
        if (self == null || callback == null) {
            throw HttpFailure.notFound("The gate's public address is not set.");
        }
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("client_id", self.toString());
        document.put("client_name", "Toolgate");
        document.putArray("redirect_uris").add(callback.toString());
        document.putArray("grant_types").add("authorization_code").add("refresh_token");
        document.putArray("response_types").add("code");
        document.put("token_endpoint_auth_method", "none");
        return Response.json(document);
    }

    private Response message(int status, String text) {
        return MessagePage.of(status, "Connect an account", text);
    }
}
