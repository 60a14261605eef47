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
 * The sessions of a program that embeds the runtime: every session it names is good and may use every tool, because its
 * own policy enforcer has already said yes. Its limits come with each request.
 */
final class HostSessions implements Policies {
    private final ToolCatalog catalog;

    HostSessions(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public Optional<Session> find(TenantId tenant, SessionId session) {
        Map<String, List<String>> tools = catalog.all().stream()
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
