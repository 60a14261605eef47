package dev.toolgate.server.wiring;

import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.model.ModelProviders;
import java.util.List;

/** Language models, and the tools that use external services. */
record RemoteParts(ModelProviders models, List<Tool<?>> tools) {
    static RemoteParts open(ServerSettings settings, AddressPolicies addresses, Secrets secrets, Resources resources) {
        ModelProviders models = resources.register(ModelProviders.of(settings.models(), secrets));
        return new RemoteParts(models, RemoteTools.of(settings, addresses, secrets, models, resources));
    }
}
