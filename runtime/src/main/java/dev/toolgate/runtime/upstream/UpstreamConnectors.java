package dev.toolgate.runtime.upstream;

import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.GuardedSockets;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.WorkspaceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Creates the connectors to servers, with the settings of this machine.
 *
 * @param addresses the addresses that may be reached: of remote servers, and by programs through their proxy
 * @param tls trusts the certificates of servers
 * @param folder the parent of the default workspaces of programs and of their private state
 * @param environment the environment variables of every command
 */
public record UpstreamConnectors(
        AddressPolicy addresses,
        Resolver resolver,
        SSLContext tls,
        Path folder,
        SandboxMode sandboxMode,
        SandboxSettings sandbox,
        Supplier<Map<String, String>> environment) {

    /** With the certificates that Java trusts. */
    public static UpstreamConnectors of(
            AddressPolicy addresses,
            Path folder,
            SandboxMode sandboxMode,
            SandboxSettings sandbox,
            Supplier<Map<String, String>> environment) {
        try {
            return new UpstreamConnectors(
                    addresses, Resolver.SYSTEM, SSLContext.getDefault(), folder, sandboxMode, sandbox, environment);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Java has no TLS", impossible);
        }
    }

    ServerConnector of(UpstreamSettings settings) {
        return switch (settings.endpoint()) {
            case UpstreamEndpoint.Remote remote ->
                new RemoteConnector(remote, new GuardedSockets(addresses, resolver), tls);
            case UpstreamEndpoint.Program program ->
                new ProgramConnector(program, () -> open(workspace(settings.name(), program)), environment);
        };
    }

    private static OpenWorkspace open(WorkspaceSettings settings) throws IOException {
        WorkspaceAccount.createIfMissing(settings.folder());
        return OpenWorkspace.open(settings);
    }

    private WorkspaceSettings workspace(String name, UpstreamEndpoint.Program program) {
        Path own = folder.resolve(name);
        Path workspace = program.workspace();
        List<Path> readable = new ArrayList<>(sandbox.readOnlyPaths());
        readable.addAll(program.readOnlyPaths());
        return new WorkspaceSettings(
                workspace == null ? own.resolve("workspace") : workspace,
                null,
                own.resolve("state"),
                sandboxMode,
                sandbox.withReadOnlyPaths(readable).withWarm(0, 0), // started once, not for every call
                addresses);
    }
}
