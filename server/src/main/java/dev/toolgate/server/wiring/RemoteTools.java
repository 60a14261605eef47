package dev.toolgate.server.wiring;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.GuardedFetch;
import dev.toolgate.runtime.network.ProxyLimits;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.server.config.ModelName;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.model.ModelSummariser;
import dev.toolgate.server.remote.ConfiguredBuilds;
import dev.toolgate.server.remote.ConfiguredDatabases;
import dev.toolgate.server.remote.ConfiguredVaults;
import dev.toolgate.tools.build.RemoteBuildTool;
import dev.toolgate.tools.database.CloudDbQueryTool;
import dev.toolgate.tools.github.GitHubAccess;
import dev.toolgate.tools.github.GitHubTools;
import dev.toolgate.tools.memory.MemoryDeleteTool;
import dev.toolgate.tools.memory.MemoryLimits;
import dev.toolgate.tools.memory.MemoryRetrieveTool;
import dev.toolgate.tools.memory.MemorySaveTool;
import dev.toolgate.tools.search.WebSearchTool;
import dev.toolgate.tools.vault.VaultReadTool;
import dev.toolgate.tools.web.BrowseWebTool;
import dev.toolgate.tools.web.ChromiumRenderer;
import dev.toolgate.tools.web.ExtractiveSummariser;
import dev.toolgate.tools.web.PageAccess;
import dev.toolgate.tools.web.Renderer;
import dev.toolgate.tools.web.Summariser;
import dev.toolgate.tools.web.WebSettings;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Wires the tools that use external services. */
final class RemoteTools {
    private static final int SUMMARY_CHARACTERS = 2000;

    private RemoteTools() {}

    /** All except those that need the server's own database. */
    static List<Tool<?>> of(
            ServerSettings settings,
            AddressPolicies addresses,
            Secrets secrets,
            ModelProviders models,
            Resources resources) {
        Map<String, String> environment = System.getenv();
        List<Tool<?>> tools = new ArrayList<>();
        tools.add(resources.register(WebSearchTool.of(settings.tools().search(), secrets)));
        tools.add(browsing(settings, addresses, models, resources));
        tools.addAll(GitHubTools.all(resources.register(new GitHubAccess(
                settings.tools().github().instance(),
                secrets,
                settings.tools().github().timeout(),
                Clock.systemUTC()))));
        tools.add(resources.register(new CloudDbQueryTool(
                new ConfiguredDatabases(settings.databases(), environment),
                secrets,
                settings.home().resolve("runtime").resolve("queries"))));
        tools.add(new VaultReadTool(new ConfiguredVaults(settings.vaults(), environment), secrets));
        tools.add(new RemoteBuildTool(new ConfiguredBuilds(settings.builds()), secrets));
        return tools;
    }

    /** One for all tenants, and one for each tenant with internal addresses. */
    private static Tool<?> browsing(
            ServerSettings settings, AddressPolicies addresses, ModelProviders models, Resources resources) {
        PageAccess publicPages = pages(settings, AddressPolicy.publicOnly(), resources);
        Map<TenantId, PageAccess> own = new HashMap<>();
        PartSettings.internalPlaces(settings)
                .keySet()
                .forEach(tenant -> own.put(tenant, pages(settings, addresses.of(tenant), resources)));
        return new BrowseWebTool(
                tenant -> own.getOrDefault(tenant, publicPages),
                summariser(settings.tools().web(), models));
    }

    private static PageAccess pages(ServerSettings settings, AddressPolicy addresses, Resources resources) {
        Renderer renderer =
                switch (settings.tools().web().rendering()) {
                    case OFF -> Renderer.NONE;
                    case AUTO ->
                        ChromiumRenderer.find(
                                settings.home().resolve("runtime").resolve("browser"),
                                addresses,
                                Resolver.SYSTEM,
                                ProxyLimits.defaults());
                };
        return new PageAccess(new GuardedFetch(addresses, Resolver.SYSTEM), resources.register(renderer));
    }

    private static Summariser summariser(WebSettings section, ModelProviders models) {
        Summariser sentences = new ExtractiveSummariser(SUMMARY_CHARACTERS);
        return Optional.ofNullable(section.summaryModel())
                .map(ModelName::parse)
                .<Summariser>map(
                        model -> new ModelSummariser(models, model, sentences, ModelSummariser.DEFAULT_TIMEOUT))
                .orElse(sentences);
    }

    /** The memory tools, which use the server's own database. */
    static List<Tool<?>> memory(MemoryLimits limits, Memory memory, KeptChanges kept) {
        return List.of(
                new MemorySaveTool(memory, limits, kept),
                new MemoryRetrieveTool(memory),
                new MemoryDeleteTool(memory, limits, kept));
    }
}
