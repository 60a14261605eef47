package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.tools.build.RemoteBuild;
import dev.toolgate.tools.database.RemoteDatabase;
import dev.toolgate.tools.vault.RemoteVault;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything an operator can set. */
public record ServerSettings(
        @Setting(value = "The data folder: database, artifacts, keys.", initial = "~/.toolgate", env = "TOOLGATE_HOME")
        Path home,

        @Setting(value = "The address to listen on.", initial = "127.0.0.1", env = "TOOLGATE_HOST", shortest = 1)
        String host,

        @Setting(
                value = "The ports to listen on, the main one first; 0 picks a free one.",
                initial = "8001,3001",
                env = "TOOLGATE_PORTS",
                least = "0",
                most = "65535",
                shortest = 1)
        List<Integer> ports,

        @Setting(
                value = "The folder file and shell tools may touch.",
                initial = SettingsLoader.WORKSPACE_IN_HOME,
                env = "TOOLGATE_WORKSPACE")
        Path workspace,

        @Setting(
                value = "The folder with a workspace for every tenant but the first; in the data folder if not set.",
                env = "TOOLGATE_TENANT_WORKSPACES")
        @Nullable
        Path tenantWorkspaces,

        @Setting("A second folder that the file tools of the first tenant may touch; none if not set.") @Nullable
        Path centralRoot,

        @Setting("The database.") DatabaseSettings database,
        @Setting("What the server says about itself.") LogSettings log,

        @Setting("How much a client may ask for, and for how long.")
        HttpSection http,

        @Setting("How people and programs show who they are.")
        AuthSettings auth,

        @Setting("How often tools may be called; no limits if not set.")
        LimitSettings limits,

        @Setting(value = "What one call of a tool costs, by the tool's name.", least = "0")
        Map<String, BigDecimal> costs,

        @Setting("The record of every call.") AuditSettings audit,

        @Setting("What tools and agents store: where, and how much of it.")
        ArtifactSettings artifacts,

        @Setting("Calls that wait for a person's yes.") ApprovalSettings approvals,

        @Setting("Removing secrets from what is stored and logged.")
        RedactionSettings redaction,

        @Setting("The confinement of commands.") SandboxSection sandbox,
        @Setting("Which tools there are.") ToolSettings tools,

        @Setting("Where the language models are; their keys are secrets of each tenant.")
        ModelSettings models,

        @Setting("The doors for other kinds of programs.") DialectSettings dialect,

        @Setting("Traces; where they go is set with the usual OTEL_ variables.")
        TelemetrySettings telemetry,

        @Setting("What tools may reach.") NetworkSettings network,

        @Setting("By tenant and name, where a secret of tools is: env:VARIABLE or file:/path, never the secret itself.")
        Map<String, Map<String, SecretPlace>> secrets,

        @Setting("By tenant and name, the databases of cloud_db_query.")
        Map<String, Map<String, RemoteDatabase>> databases,

        @Setting("By tenant, the vault of vault_read.") Map<String, RemoteVault> vaults,

        @Setting("By tenant and name, the builds of remote_build.")
        Map<String, Map<String, RemoteBuild>> builds) {

    public ServerSettings {
        ports = List.copyOf(ports);
        costs = Map.copyOf(costs);
        secrets = Map.copyOf(secrets);
        databases = Map.copyOf(databases);
        vaults = Map.copyOf(vaults);
        builds = Map.copyOf(builds);
        List<Integer> fixed = ports.stream().filter(port -> port != 0).toList();
        if (Set.copyOf(fixed).size() < fixed.size()) {
            throw new IllegalArgumentException("ports: must not name a port twice");
        }
    }

    /**
     * Reads the settings.
     *
     * @param file the file named with {@code --config}; if null, {@code toolgate.yaml} in the data folder is read
     *     where there is one
     * @param environment the environment variables
     * @param options what the command line sets, by path, written as in the environment: {@code ports} to {@code 0,0}
     * @throws InvalidSettings with one sentence that names what is wrong
     */
    public static ServerSettings load(
            @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
        return new SettingsLoader().load(file, environment, options);
    }
}
