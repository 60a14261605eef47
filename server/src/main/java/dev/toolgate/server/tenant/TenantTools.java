package dev.toolgate.server.tenant;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Places;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.WorkspaceTools;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.tools.file.SessionChanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The built-in tools, with a workspace of its own for every tenant, opened when it is first used. */
public final class TenantTools implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TenantTools.class);

    private final RuntimeSettings settings;
    private final Path workspaces;
    private final WorkspaceTools first;
    private final Map<TenantId, WorkspaceTools> others = new HashMap<>();
    private final TenantId firstTenant;
    private final Map<TenantId, List<String>> internalPlaces;

    private TenantTools(
            TenantId firstTenant,
            RuntimeSettings settings,
            Path workspaces,
            Map<TenantId, List<String>> internalPlaces,
            WorkspaceTools first) {
        this.firstTenant = firstTenant;
        this.internalPlaces = internalPlaces;
        this.settings = settings;
        this.workspaces = workspaces;
        this.first = first;
    }

    /**
     * Opens the workspace of the first tenant.
     *
     * @param settings for the first tenant
     * @param workspaces where every other tenant gets a folder of its own
     * @param internalPlaces what the tools of each tenant may reach beyond the public internet
     * @throws IOException if the workspace cannot be used, in one sentence
     */
    public static TenantTools open(
            TenantId firstTenant, RuntimeSettings settings, Path workspaces, Map<TenantId, List<String>> internalPlaces)
            throws IOException {
        Map<TenantId, List<String>> places = Map.copyOf(internalPlaces);
        return new TenantTools(
                firstTenant,
                settings,
                workspaces,
                places,
                WorkspaceTools.open(settings.reaching(places.getOrDefault(firstTenant, List.of()))));
    }

    /** What a session has changed in the workspace of its tenant, as far as this instance has seen it. */
    public SessionChanges changes(TenantId tenant, SessionId session) throws ToolFailure, InterruptedException {
        return (tenant.equals(firstTenant) ? first : tenantsOwn(tenant))
                .writes()
                .changes(tenant, session);
    }

    /** Every tool once; each works in the folder of its caller's tenant. */
    public List<Tool<?>> tools() {
        return first.tools().stream().<Tool<?>>map(this::forEveryTenant).toList();
    }

    /** The workspace of the first tenant, and what confines commands there. */
    public WorkspaceTools first() {
        return first;
    }

    /** Where the paths that callers write lead, each in the folder of its tenant. */
    public Places places() {
        return (tenant, path) -> {
            try {
                WorkspaceTools own = tenant.equals(firstTenant) ? first : tenantsOwn(tenant);
                return own.places().find(tenant, path);
            } catch (ToolFailure unusable) {
                return List.of();
            }
        };
    }

    private <A> Tool<A> forEveryTenant(Tool<A> tool) {
        return new PerTenantTool<>(
                tool.spec(), tenant -> tenant.equals(firstTenant) ? tool : named(tool, tenantsOwn(tenant)));
    }

    @SuppressWarnings("unchecked") // the tools of every workspace are made by the same code: same name, same type
    private static <A> Tool<A> named(Tool<A> tool, WorkspaceTools own) {
        return (Tool<A>) own.tools().stream()
                .filter(candidate -> candidate.spec().name().equals(tool.spec().name()))
                .findFirst()
                .orElseThrow();
    }

    private synchronized WorkspaceTools tenantsOwn(TenantId tenant) throws ToolFailure {
        WorkspaceTools open = others.get(tenant);
        if (open == null) {
            try {
                open = open(tenant);
            } catch (IOException unusable) {
                LOG.error("The workspace of tenant {} cannot be opened", tenant, unusable);
                throw new ToolFailure(ErrorCode.INTERNAL_ERROR, "The workspace of this tenant cannot be opened");
            }
            others.put(tenant, open);
        }
        return open;
    }

    private WorkspaceTools open(TenantId tenant) throws IOException {
        // Files may be shared with other gates; notes about writes and spooled output are this gate's own.
        Path state = settings.stateFolder()
                .resolve("tenants")
                .resolve(folderName(tenant))
                .resolve("state");
        Path workspace = workspaces.resolve(folderName(tenant)).resolve("workspace");
        WorkspaceAccount.make(workspace);
        return WorkspaceTools.open(RuntimeSettings.of(workspace, state)
                .with(settings.sandboxMode())
                .with(settings.sandbox())
                .with(settings.environment())
                .withLongestCommand(settings.longestCommand())
                .reaching(internalPlaces.getOrDefault(tenant, List.of())));
    }

    // No two ids share a folder, also where names differ only in case, and none leads elsewhere.
    static String folderName(TenantId tenant) {
        StringBuilder name = new StringBuilder();
        for (byte part : tenant.value().getBytes(StandardCharsets.UTF_8)) {
            if ((part >= 'a' && part <= 'z') || (part >= '0' && part <= '9') || part == '-' || part == '_') {
                name.append((char) part);
            } else {
                name.append('%').append(Character.forDigit((part >> 4) & 15, 16));
                name.append(Character.forDigit(part & 15, 16));
            }
        }
        return name.toString();
    }

    @Override
    public synchronized void close() {
        first.close();
        others.values().forEach(WorkspaceTools::close);
    }
}
