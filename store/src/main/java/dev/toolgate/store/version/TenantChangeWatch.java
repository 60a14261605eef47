package dev.toolgate.store.version;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.DatabaseListener;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects changes of a tenant's data that were made at any instance, and reloads it. */
public final class TenantChangeWatch implements DatabaseListener.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(TenantChangeWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final VersionTable table;
    private final Consumer<TenantId> reload;
    /** The versions that were loaded last; used only by the listener's thread. */
    private final Map<String, Long> seen = new HashMap<>();

    private final List<String> failed = new ArrayList<>();

    /**
     * @param reload loads the data of a tenant again
     */
    public TenantChangeWatch(VersionTable table, Consumer<TenantId> reload) {
        this.table = table;
        this.reload = reload;
    }

    @Override
    public String subject() {
        return "changes of " + table.subject();
    }

    @Override
    public String channel() {
        return table.channel();
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void poll(Connection connection) throws SQLException {
        synchronized (failed) {
            failed.forEach(seen::remove);
            failed.clear();
        }
        List<String> changed = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT tenant_id, version FROM " + table.name());
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                Long before = seen.put(rows.getString(1), rows.getLong(2));
                if (before == null || before != rows.getLong(2)) {
                    changed.add(rows.getString(1));
                }
            }
        }
        if (!changed.isEmpty()) {
            // Loading the data of a tenant may take longer than the listener's thread may be blocked.
            Thread.ofVirtual().name("toolgate-tenant-changes").start(() -> changed.forEach(this::load));
        }
    }

    private void load(String tenant) {
        try {
            reload.accept(new TenantId(tenant));
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "The {} of tenant '{}' could not be loaded and are retried: {}",
                    table.subject(),
                    tenant,
                    unavailable.toString());
            synchronized (failed) {
                failed.add(tenant);
            }
        }
    }
}
