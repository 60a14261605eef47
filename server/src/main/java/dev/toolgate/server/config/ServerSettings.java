package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.store.upstream.McpCredentials;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.tools.build.RemoteBuild;
import dev.toolgate.tools.database.RemoteDatabase;
import dev.toolgate.tools.vault.RemoteVault;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All settings of the server. */
public record ServerSettings(
        @Setting(
                value = "The data folder: database, artifacts, keys.",
                defaultValue = "~/.toolgate",
                env = "TOOLGATE_HOME")
        Path home,

        @Setting(value = "The address to listen on.", defaultValue = "127.0.0.1", env = "TOOLGATE_HOST", minLength = 1)
        String host,

        @Setting(
                value = "The ports to listen on, the main one first; 0 picks a free one.",
                defaultValue = "8001,3001",
                env = "TOOLGATE_PORTS",
                min = "0",
                max = "65535",
                minLength = 1)
        List<Integer> ports,

        @Setting(
                value = "The folder that file and shell tools work in.",
                defaultValue = SettingsLoader.WORKSPACE_IN_HOME,
                env = "TOOLGATE_WORKSPACE")
        Path workspace,

        @Setting(
                value = "The folder with a workspace for every tenant except the first; in the data folder if not set.",
                env = "TOOLGATE_TENANT_WORKSPACES")
        @Nullable
        Path tenantWorkspaces,

        @Setting("A second folder that the file tools of the first tenant may use; none if not set.") @Nullable
        Path centralRoot,

        @Setting("The database.") DatabaseSettings database,
        @Setting("Logging.") LogSettings log,

        @Setting("The HTTP server: limits, proxies and TLS.")
        HttpSection http,

        @Setting("Authentication.") AuthSettings auth,

        @Setting("Rate limits; by default only refused calls are limited.")
        LimitSettings limits,

        @Setting(value = "The cost of one call, by tool name.", min = "0")
        Map<String, BigDecimal> costs,

        @Setting("The audit log.") AuditSettings audit,

        @Setting("Artifacts: storage and limits.") ArtifactSettings artifacts,

        @Setting("Calls that wait for a person's approval.") ApprovalSettings approvals,

        @Setting("Masking of secrets in records and logs.") RedactionSettings redaction,

        @Setting("The sandbox for commands.") SandboxSection sandbox,
        @Setting("The tools and their settings.") ToolSettings tools,

        @Setting("Language models; their API keys are secrets of each tenant.")
        ModelSettings models,

        @Setting("APIs with other wire formats.") DialectSettings dialect,

        @Setting("Traces; their destination is set with the standard OTEL_ variables.")
        TelemetrySettings telemetry,

        @Setting("The network access of tools.") NetworkSettings network,

        @Setting("By tenant and name, the location of a secret for tools: env:VARIABLE or file:/path, never the"
                + " secret itself.")
        Map<String, Map<String, SecretLocation>> secrets,

        @Setting("By tenant and name, the databases of cloud_db_query.")
        Map<String, Map<String, RemoteDatabase>> databases,

        @Setting("By tenant, the vault of vault_read.") Map<String, RemoteVault> vaults,

        @Setting("By tenant and name, the builds of remote_build.")
        Map<String, Map<String, RemoteBuild>> builds,

        @Setting("By tenant and name, the MCP servers behind the gate.")
        Map<String, Map<String, McpServerSettings>> mcpServers) {

    public ServerSettings {
        ports = List.copyOf(ports);
        costs = Map.copyOf(costs);
        secrets = Map.copyOf(secrets);
        databases = Map.copyOf(databases);
        vaults = Map.copyOf(vaults);
        builds = Map.copyOf(builds);
        mcpServers = Map.copyOf(mcpServers);
        mcpServers.forEach((tenant, own) -> own.forEach((name, server) -> checkServer(tenant, name, server)));
        List<Integer> fixed = ports.stream().filter(port -> port != 0).toList();
        if (Set.copyOf(fixed).size() < fixed.size()) {
            throw new IllegalArgumentException("ports: must not name a port twice");
        }
    }

    private static void checkServer(String tenant, String name, McpServerSettings server) {
        String path = "mcp_servers: " + tenant + ": " + name + ": ";
        requireValid(path, () -> new ServerName(name));
        McpCredentials credentials = server.credentials();
        if (credentials != null) {
            requireValid(path + "credentials.", credentials::requireIssuerOfClient);
        }
    }

    private static void requireValid(String path, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(path + wrong.getMessage(), wrong);
        }
    }

    /**
     * Reads the settings.
     *
     * @param file the file given with {@code --config}; if null, {@code toolgate.yaml} in the data folder is read if it
     *     exists
     * @param environment the environment variables
     * @param options the options of the command line, by path, formatted as in the environment: {@code ports} to
     *     {@code 0,0}
     * @throws InvalidSettings if a setting is invalid
     */
    public static ServerSettings load(
            @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
        return new SettingsLoader().load(file, environment, options);
    }
}
