package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.upstream.ChangingMcpServer.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.upstream.AccountMcpServer;
import dev.toolgate.server.upstream.ChangingMcpServer;
import dev.toolgate.server.upstream.ConnectBrowser;
import java.net.URI;

/** Requests to administer MCP servers and to agree to their tools. */
final class McpServerRequests extends DocumentedRequests {
    private static final String ALL = "/api/v1/mcp/servers";
    private static final String ONE = ALL + "/{server_name}";
    private static final String TOOL = ONE + "/tools/{mcp_tool}";

    private final ChangingMcpServer upstream;

    McpServerRequests(RunningServer server, CheckedClient checked, ChangingMcpServer upstream) {
        super(server, checked);
        this.upstream = upstream;
    }

    /** A request that adds the server under a name. */
    static String server(String name, ChangingMcpServer upstream) {
        return "{\"name\": \"" + name + "\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true}";
    }

    void all() {
        upstream.offer(tool("say", "Says something."));
        seen(201, ask("POST " + ALL, server("one", upstream)));
        seen(409, ask("POST " + ALL, server("one", upstream)));
        seen(400, ask("POST " + ALL, server("a__b", upstream)));
        seen(201, ask("POST " + ALL, "{\"name\": \"two\", \"command\": [\"x\"], \"enabled\": false}"));
        assertThat(seen(200, checked.ask(admin, "GET " + ALL + "?limit=1")).next())
                .isPresent();
        seen(200, checked.ask(admin, "GET " + ALL));
        seen(400, checked.ask(admin, "GET " + ALL + "?after=-"));
        seen(404, checked.ask(admin, "GET " + ONE, "none"));
        seen(400, checked.ask(admin, "GET " + ONE, "-"));
        seen(200, ask("PATCH " + ONE, "{\"timeout_ms\": 5000, \"credentials\": null}", "one"));
        seen(409, ask("PATCH " + ONE, "{\"command\": [\"x\"]}", "one"));
        seen(404, ask("PATCH " + ONE, "{}", "none"));
        upstream.offer(tool("say", "Says something\u200b else."), tool("sing", "Sings."));
        seen(200, checked.ask(admin, "POST " + ONE + "/refresh", "one"));
        seen(409, checked.ask(admin, "POST " + ONE + "/refresh", "two"));
        seen(404, checked.ask(admin, "POST " + ONE + "/refresh", "none"));
        seen(200, checked.ask(admin, "GET " + ONE, "one"));
        String hash = seen(200, checked.ask(admin, "GET " + TOOL, "one", "say"))
                .json()
                .at("/waiting/hash")
                .asString();
        seen(404, checked.ask(admin, "GET " + TOOL, "one", "none"));
        seen(200, ask("POST " + TOOL, answer(hash), "one", "say"));
        seen(409, ask("POST " + TOOL, answer("0".repeat(64)), "one", "say"));
        seen(404, ask("POST " + TOOL, answer(hash), "one", "none"));
        seen(400, ask("POST " + TOOL, answer("x"), "one", "say"));
        seen(409, checked.ask(admin, "DELETE " + ONE, "fixed"));
        seen(204, checked.ask(admin, "DELETE " + ONE, "one"));
        seen(204, checked.ask(admin, "DELETE " + ONE, "two"));
        seen(404, checked.ask(admin, "DELETE " + ONE, "one"));
    }

    /** Connects an account, sees it and disconnects it. */
    void accounts(AccountMcpServer accounts) {
        String begin = "POST " + ONE + "/account";
        String one = "DELETE /api/v1/mcp/accounts/{account_id}";
        seen(201, ask("POST " + ALL, accounts.server("mail")));
        seen(409, ask(begin, "{}", "mail"));
        seen(404, ask(begin, "{}", "none"));
        seen(400, ask(begin, "{}", "-"));
        seen(403, checked.send(server.as(FIRST, Role.AUDITOR), begin, "{}", "mail"));
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), server.key(FIRST, Role.ADMIN, null));
        seen(200, checked.ask(server.anonymous(), "GET /connect/mcp/{server_name}", "mail"));
        URI back = accounts.authorize(browser.begun(checked.send(browser.loggedIn(), begin, "{}", "mail")), "ann");
        String callback = "GET /connect/callback/{issuer_hash}";
        String hash = back.getPath().replaceFirst(".*/", "");
        seen(200, checked.ask(browser.comingBack(), callback + "?" + back.getRawQuery(), hash));
        seen(409, checked.ask(browser.comingBack(), callback + "?" + back.getRawQuery(), hash));
        seen(404, checked.ask(browser.comingBack(), callback + "?" + back.getRawQuery(), "0"));
        seen(400, checked.ask(browser.comingBack(), callback + "?state=", hash));
        registeredByHand(accounts);
        seen(400, checked.ask(browser.comingBack(), "GET /connect/callback?state="));
        seen(200, checked.ask(server.anonymous(), "GET /connect/client.json"));
        seen(200, checked.ask(server.anonymous(), "GET /connect/client/{issuer_hash}", hash));
        seen(404, checked.ask(server.anonymous(), "GET /connect/client/{issuer_hash}", "0"));
        String id = seen(200, checked.ask(admin, "GET /api/v1/mcp/accounts"))
                .each("account_id")
                .getFirst();
        seen(204, checked.ask(admin, one, id));
        seen(404, checked.ask(admin, one, id));
        seen(204, checked.ask(admin, "DELETE " + ONE, "mail"));
    }

    private void registeredByHand(AccountMcpServer accounts) {
        accounts.register("by-hand", server.url() + "/connect/callback");
        seen(201, ask("POST " + ALL, accounts.server("post", "by-hand")));
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), server.key(FIRST, Role.ADMIN, null));
        String begin = "POST " + ONE + "/account";
        URI back = accounts.authorize(browser.begun(checked.send(browser.loggedIn(), begin, "{}", "post")), "ann");
        seen(200, checked.ask(browser.comingBack(), "GET /connect/callback?" + back.getRawQuery()));
        seen(409, checked.ask(browser.comingBack(), "GET /connect/callback?" + back.getRawQuery()));
        seen(204, checked.ask(admin, "DELETE " + ONE, "post"));
    }

    private static String answer(String hash) {
        return "{\"agreed\": true, \"hash\": \"" + hash + "\"}";
    }
}
