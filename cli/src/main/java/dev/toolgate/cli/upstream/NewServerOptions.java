package dev.toolgate.cli.upstream;

import dev.toolgate.cli.terminal.WrongUsage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options for connecting to a server and for the tools to offer. */
public final class NewServerOptions {
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");

    @Option(
            names = "--secret",
            paramLabel = "NAME",
            description = "The name of a secret: for a URL, sent in the header; for a command, put into the environment"
                    + " variable NAME, or into VARIABLE with VARIABLE=NAME.")
    private List<String> secrets = List.of();

    @Option(
            names = "--header",
            paramLabel = "HEADER",
            description = "The header of the secret; default: Authorization.")
    private @Nullable String header;

    @Option(
            names = "--issuer",
            paramLabel = "URL",
            description = "Get tokens from this OAuth issuer, with --client-id and the client's secret in --secret.")
    private @Nullable String issuer;

    @Option(names = "--client-id", paramLabel = "ID", description = "The id of the OAuth client.")
    private @Nullable String clientId;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "An OAuth scope to ask for.")
    private List<String> scopes = List.of();

    @Option(
            names = "--exchange",
            paramLabel = "NAME",
            description = "The name of the secret with a token to exchange at the issuer.")
    private @Nullable String exchanged;

    @Option(names = "--env", paramLabel = "VARIABLE=VALUE", description = "An environment variable of the command.")
    private Map<String, String> environment = Map.of();

    @Option(names = "--egress", paramLabel = "HOST", description = "A host that the command may reach; default: none.")
    private List<String> egress = List.of();

    @Option(names = "--tool", paramLabel = "TOOL", description = "Offer only this tool; may be repeated.")
    private List<String> tools = List.of();

    @Option(
            names = "--capability",
            paramLabel = "NAME",
            description = "The capability that policy bundles must grant; default: Mcp.Invoke.")
    private @Nullable String capability;

    @Option(
            names = "--timeout",
            paramLabel = "LENGTH",
            description = "How long a call may take: 500ms, 30s, 5m; default: 60s.")
    private @Nullable String timeout;

    @Option(names = "--plain-http", description = "Allow http to a loopback address that the server's settings allow.")
    private boolean plainHttp;

    @Option(
            names = "--trust-annotations",
            description = "Treat tools that the server marks as read-only as safe. Calls of those that it also marks as"
                    + " closed-world are recorded before their answer, but leave no trace if the gate is killed while"
                    + " they run.")
    private boolean trustAnnotations;

    /** Adds the options to a request for a URL. */
    void intoRemote(ObjectNode body) {
        if (!environment.isEmpty() || !egress.isEmpty()) {
            throw new WrongUsage("--env and --egress are for a command; a URL has neither");
        }
        if (plainHttp) {
            body.put("plain_http", true);
        }
        if (secrets.size() > 1) {
            throw new WrongUsage("a URL has one --secret");
        }
        if (!secrets.isEmpty()) {
            credentials(body.putObject("credentials").put("secret", secrets.getFirst()));
        } else if (header != null || issuer != null || clientId != null || exchanged != null) {
            throw new WrongUsage("--header, --issuer, --client-id and --exchange need --secret");
        }
        common(body);
    }

    private void credentials(ObjectNode credentials) {
        if (issuer == null) {
            credentials.put("kind", "header");
            if (header != null) {
                credentials.put("header", header);
            }
            return;
        }
        credentials.put("kind", exchanged == null ? "client_credentials" : "token_exchange");
        credentials.put("issuer", issuer).put("client_id", clientId);
        if (exchanged != null) {
            credentials.put("subject_secret", exchanged);
        }
        if (!scopes.isEmpty()) {
            scopes.forEach(credentials.putArray("scopes")::add);
        }
    }

    /** Adds the options to a request for a command. */
    void intoProgram(ObjectNode body) {
        if (header != null || issuer != null || clientId != null || exchanged != null || plainHttp) {
            throw new WrongUsage("--header, --issuer, --client-id, --exchange and --plain-http are for a URL");
        }
        if (!environment.isEmpty()) {
            environment.forEach(body.putObject("environment")::put);
        }
        if (!secrets.isEmpty()) {
            ObjectNode named = body.putObject("secrets");
            secrets.forEach(secret -> {
                int equals = secret.indexOf('=');
                named.put(equals < 0 ? secret : secret.substring(0, equals), secret.substring(equals + 1));
            });
        }
        if (!egress.isEmpty()) {
            egress.forEach(body.putArray("egress")::add);
        }
        common(body);
    }

    private void common(ObjectNode body) {
        if (!tools.isEmpty()) {
            tools.forEach(body.putArray("allowed_tools")::add);
        }
        if (capability != null) {
            body.put("capability", capability);
        }
        if (timeout != null) {
            body.put("timeout_ms", millis(timeout));
        }
        if (trustAnnotations) {
            body.put("trust_annotations", true);
        }
    }

    private static long millis(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new WrongUsage("--timeout must be a number and a unit: 500ms, 30s or 5m");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> number;
            case "s" -> Duration.ofSeconds(number).toMillis();
            default -> Duration.ofMinutes(number).toMillis();
        };
    }
}
