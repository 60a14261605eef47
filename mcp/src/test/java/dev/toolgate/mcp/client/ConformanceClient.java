package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.oauth.ClientAuthentication;
import dev.toolgate.mcp.client.oauth.ClientIdentity;
import dev.toolgate.mcp.client.oauth.InMemoryOAuthStore;
import dev.toolgate.mcp.client.oauth.OAuthAuthorization;
import dev.toolgate.mcp.client.oauth.OAuthGrant;
import dev.toolgate.mcp.client.oauth.OAuthSettings;
import dev.toolgate.mcp.client.oauth.SignedAssertion;
import dev.toolgate.mcp.client.oauth.TrustedIssuer;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.ElicitResult;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.InputRequest;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The program that the conformance suite runs once for every scenario: it carries out the scenario with our client. The
 * URL is its argument; the scenario and its context are environment variables.
 */
public final class ConformanceClient {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final URI REDIRECT = URI.create("http://localhost:3000/callback");
    private static final URI METADATA_DOCUMENT = URI.create("https://conformance-test.local/client-metadata.json");

    private final URI url;
    private final String scenario;
    private final JsonNode context;
    private final HttpExchanger exchanger;

    private ConformanceClient(URI url, String scenario, JsonNode context) throws GeneralSecurityException {
        this.exchanger = new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(10));
        this.url = url;
        this.scenario = scenario;
        this.context = context;
    }

    public static void main(String[] arguments) throws Exception {
        String context = System.getenv("MCP_CONFORMANCE_CONTEXT");
        new ConformanceClient(
                        URI.create(arguments[arguments.length - 1]),
                        String.valueOf(System.getenv("MCP_CONFORMANCE_SCENARIO")),
                        context == null ? JsonNodeFactory.instance.objectNode() : JSON.readTree(context))
                .run();
        System.exit(0);
    }

    private void run() throws McpFailure, GeneralSecurityException {
        HttpTransport transport = new HttpTransport(
                HttpEndpoint.of(url, EndpointCheck.LOOPBACK_WITHOUT_TLS),
                exchanger,
                authorization(),
                TransportLimits.DEFAULT);
        try (McpClient client = McpClient.connect(transport, settings())) {
            ToolList list = client.listTools(CallOptions.DEFAULT);
            switch (scenario) {
                case "json-schema-ref-no-deref" -> {}
                case "http-custom-headers" -> configuredCalls(client);
                case "http-standard-headers" -> everyKindOfRequest(client, list);
                case "json-schema-2020-12-preservation" -> echoSchema(client, list);
                default -> callAll(client, list);
            }
        }
    }

    private static ClientSettings settings() {
        ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
        capabilities.putObject("elicitation").putObject("form");
        return ClientSettings.of(new Implementation("toolgate-conformance", "1.0.0"))
                .withInput(new ClientCapabilities(capabilities), ConformanceClient::accept);
    }

    private static InputAnswer accept(InputRequest request) {
        ObjectNode params = request.params();
        return switch (request.kind()) {
            case ELICIT_FORM -> {
                ObjectNode content = ElicitationDefaults.fill(
                        params == null ? JsonNodeFactory.instance.objectNode() : params.path("requestedSchema"),
                        JsonNodeFactory.instance.objectNode());
                yield new InputAnswer.Given(new ElicitResult(ElicitResult.Action.ACCEPT, content).json());
            }
            case ELICIT_URL, SAMPLE, LIST_ROOTS -> new InputAnswer.Refused("Only forms are answered here.");
        };
    }

    private static void callAll(McpClient client, ToolList list) throws McpFailure {
        for (ObjectNode tool : list.tools()) {
            ObjectNode arguments = JsonNodeFactory.instance.objectNode();
            for (var property : tool.path("inputSchema").path("properties").properties()) {
                switch (property.getValue().path("type").asString("")) {
                    case "number", "integer" -> arguments.put(property.getKey(), 2);
                    case "boolean" -> arguments.put(property.getKey(), true);
                    default -> arguments.put(property.getKey(), "text");
                }
            }
            client.callTool(tool.path("name").stringValue(), arguments, CallOptions.DEFAULT);
        }
    }

    private void configuredCalls(McpClient client) throws McpFailure {
        for (JsonNode call : context.path("toolCalls")) {
            client.callTool(call.path("name").stringValue(), (ObjectNode) call.get("arguments"), CallOptions.DEFAULT);
        }
    }

    private static void everyKindOfRequest(McpClient client, ToolList list) throws McpFailure {
        callAll(client, list);
        for (ObjectNode resource : client.listResources(CallOptions.DEFAULT)) {
            client.readResource(resource.path("uri").stringValue(), CallOptions.DEFAULT);
        }
        for (ObjectNode prompt : client.listPrompts(CallOptions.DEFAULT)) {
            client.getPrompt(
                    prompt.path("name").stringValue(), JsonNodeFactory.instance.objectNode(), CallOptions.DEFAULT);
        }
    }

    private static void echoSchema(McpClient client, ToolList list) throws McpFailure {
        for (ObjectNode tool : list.tools()) {
            if (tool.path("name").stringValue().equals("json_schema_2020_12_tool")) {
                ObjectNode arguments = JsonNodeFactory.instance.objectNode();
                arguments.set("schema", tool.get("inputSchema"));
                client.callTool("json_schema_echo", arguments, CallOptions.DEFAULT);
            }
        }
    }

    private ServerAuthorization authorization() throws GeneralSecurityException {
        return new OAuthAuthorization(
                new OAuthSettings(
                        url, EndpointCheck.LOOPBACK_WITHOUT_TLS, grant(), Set.of(), new TrustedIssuer.NamedByServer()),
                exchanger,
                new InMemoryOAuthStore(),
                Clock.systemUTC());
    }

    private OAuthGrant grant() throws GeneralSecurityException {
        return switch (scenario) {
            case "auth/client-credentials-basic" -> new OAuthGrant.ClientCredentials(secret());
            case "auth/client-credentials-jwt" ->
                new OAuthGrant.ClientCredentials(new ClientAuthentication.SigningKey(
                        text("client_id"), SignedAssertion.key(text("private_key_pem")), text("signing_algorithm")));
            case "auth/wif-jwt-bearer" ->
                new OAuthGrant.JwtBearer(new ClientAuthentication.Public(text("client_id")), () -> text("valid_jwt"));
            case "auth/enterprise-managed-authorization" ->
                new OAuthGrant.IdentityAssertion(
                        secret(),
                        URI.create(text("idp_token_endpoint")),
                        new ClientAuthentication.Public(text("idp_client_id")),
                        new OAuthGrant.SubjectToken(
                                "urn:ietf:params:oauth:token-type:id_token", () -> text("idp_id_token")));
            case "auth/pre-registration" -> byPerson(new ClientIdentity(secret(), null, null, "toolgate"));
            default -> byPerson(new ClientIdentity(null, null, METADATA_DOCUMENT, "toolgate"));
        };
    }

    private OAuthGrant byPerson(ClientIdentity identity) {
        return new OAuthGrant.AuthorizationCode(identity, REDIRECT, new RedirectingBrowser());
    }

    private ClientAuthentication secret() {
        return new ClientAuthentication.Secret(text("client_id"), text("client_secret"));
    }

    private String text(String field) {
        return context.path(field).stringValue();
    }
}
