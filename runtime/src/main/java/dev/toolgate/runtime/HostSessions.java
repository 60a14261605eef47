package dev.toolgate.runtime;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Accepts every session id and permits every tool, because the embedding program enforces its own policy before it
 * calls. Limits come with each request.
 */
final class HostSessions implements Policies {
    private final ToolCatalog catalog;

    HostSessions(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public Optional<Session> find(TenantId tenant, SessionId session) {
        Map<String, List<String>> tools = catalog.all(tenant).stream()
                .map(Tool::spec)
                .collect(Collectors.groupingBy(
                        spec -> spec.capability(),
                        TreeMap::new,
                        Collectors.mapping(spec -> spec.name(), Collectors.toList())));
        List<CapabilityGrant> capabilities = tools.entrySet().stream()
                .map(capability -> new CapabilityGrant(
                        capability.getKey(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        capability.getValue(),
                        null,
                        null,
                        false,
                        null))
                .toList();
        return Optional.of(Session.under(PolicyBundle.of(
                "host", PolicyBundle.SCHEMA_VERSION, tenant, "host", session, Instant.MAX, capabilities)));
    }
}
