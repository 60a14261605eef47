package dev.toolgate.store.upstream;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The settings of an MCP server, reached by a URL or run as a program in the sandbox, and of the use of its tools. */
public record McpServerSettings(
        @Setting("The URL of a server that is reached over HTTP.") @Nullable
        URI url,

        @Setting("The program with its arguments, instead of a URL; it runs in the sandbox.")
        List<String> command,

        @Setting("Environment variables of the program; no secrets.")
        Map<String, String> environment,

        @Setting("By environment variable of the program, the name of its secret; takes precedence over environment.")
        Map<String, String> secrets,

        @Setting("The hosts that the program may reach, for example api.example.com; none if empty.")
        List<String> egress,

        @Setting(
                value = "Whether the URL may be http, to a loopback address listed in network.internal_places.",
                defaultValue = "false")
        boolean plainHttp,

        @Setting("The credentials for the server; none are sent if not set.") @Nullable
        McpCredentials credentials,

        @Setting("The tools that may be used, by their names on the server; all if not set.") @Nullable
        List<String> allowedTools,

        @Setting(
                value = "The capability that its tools need in policy bundles.",
                defaultValue = McpServerSettings.DEFAULT_CAPABILITY,
                minLength = 1)
        String capability,

        @Setting(value = "How long a call may take.", defaultValue = "60s", min = "100ms", max = "1h")
        Duration timeout,

        @Setting(value = "By tool, how long its calls may take.", min = "100ms", max = "1h")
        Map<String, Duration> toolTimeouts,

        @Setting(
                value = "Whether a tool that the server marks as read-only counts as safe; otherwise all are"
                        + " dangerous. Calls of one that it also marks as closed-world (openWorldHint is false) are"
                        + " recorded before their answer, but leave no trace if the gate is killed while they run;"
                        + " all others have their intent on record before they are sent.",
                defaultValue = "false")
        boolean trustAnnotations,

        @Setting(value = "Whether its tools can be used.", defaultValue = "true")
        boolean enabled,

        @Setting(
                value = "Whether the tools that it offers at its first connection need no person's agreement;"
                        + " only in the settings file.",
                defaultValue = "false")
        boolean agreeFirst) {

    /** The default capability of a server's tools. */
    public static final String DEFAULT_CAPABILITY = "Mcp.Invoke";

    /** The default timeout of a call. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);
    private static final int MAX_ARGUMENTS = 100;
    private static final int MAX_VARIABLES = 100;
    private static final int MAX_HOSTS = 100;
    private static final int MAX_TOOLS = 2_000;

    public McpServerSettings {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        secrets = Map.copyOf(secrets);
        egress = List.copyOf(egress);
        allowedTools = allowedTools == null ? null : List.copyOf(allowedTools);
        toolTimeouts = Map.copyOf(toolTimeouts);
        if ((url == null) == command.isEmpty()) {
            throw new ConflictingFields("url: give either a url or a command");
        }
        if (url == null) {
            checkProgram(command, environment, secrets, egress);
            if (credentials != null) {
                throw new ConflictingFields("credentials: have no meaning for a program; use secrets");
            }
        } else {
            FieldChecks.url("url", url);
            if ("http".equalsIgnoreCase(url.getScheme()) && !plainHttp) {
                throw new ConflictingFields("url: must use https; set plain_http for a server on this machine");
            }
            FieldChecks.empty("environment", "with a url", environment.keySet());
            FieldChecks.empty("secrets", "with a url", secrets.keySet());
            FieldChecks.empty("egress", "with a url", egress);
        }
        if (allowedTools != null) {
            FieldChecks.atMost("allowed_tools", allowedTools, MAX_TOOLS);
            allowedTools.forEach(tool -> FieldChecks.line("allowed_tools", tool));
        }
        FieldChecks.line("capability", capability);
        checkTimeout("timeout", timeout);
        FieldChecks.atMost("tool_timeouts", toolTimeouts, MAX_TOOLS);
        toolTimeouts.forEach((tool, limit) -> {
            FieldChecks.line("tool_timeouts", tool);
            checkTimeout("tool_timeouts", limit);
        });
    }

    private static void checkProgram(
            List<String> command, Map<String, String> environment, Map<String, String> secrets, List<String> egress) {
        FieldChecks.line("command", command.getFirst());
        FieldChecks.atMost("command", command, MAX_ARGUMENTS);
        command.forEach(word -> FieldChecks.text("command", word, 10_000));
        FieldChecks.atMost("environment", environment, MAX_VARIABLES);
        environment.forEach((variable, value) -> {
            FieldChecks.matching("environment", variable, FieldChecks.VARIABLE);
            FieldChecks.text("environment", value, 10_000);
        });
        FieldChecks.atMost("secrets", secrets, MAX_VARIABLES);
        secrets.forEach((variable, name) -> {
            FieldChecks.matching("secrets", variable, FieldChecks.VARIABLE);
            FieldChecks.secretName("secrets", name);
        });
        FieldChecks.atMost("egress", egress, MAX_HOSTS);
        egress.forEach(host -> FieldChecks.matching("egress", host, FieldChecks.HOST));
    }

    private static void checkTimeout(String field, Duration limit) {
        if (limit.compareTo(MIN_TIMEOUT) < 0 || limit.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(field + ": must be 100 ms to 1 hour");
        }
    }

    /** Whether each user has an account of their own at the server. */
    public boolean hasUserAccounts() {
        return credentials != null && credentials.kind() == McpCredentials.Kind.USER;
    }

    /** The names of all secrets that it uses, sorted. */
    public Set<String> secretNames() {
        Set<String> names = new TreeSet<>(secrets.values());
        if (credentials != null) {
            if (credentials.secret() != null) {
                names.add(credentials.secret());
            }
            if (credentials.subjectSecret() != null) {
                names.add(credentials.subjectSecret());
            }
        }
        return names;
    }
}
