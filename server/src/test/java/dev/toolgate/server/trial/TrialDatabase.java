package dev.toolgate.server.trial;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.server.condition.CelConditions;
import dev.toolgate.store.Database;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Terms;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.NewKey;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Direct access to the database of a server under test. */
public final class TrialDatabase implements AutoCloseable {
    public static final TenantId FIRST = Principal.FIRST_TENANT;
    static final Author OPERATOR = new Author("trial", "a trial");
    static final String ADMIN_KEY = "admin-key-of-a-trial-0123456789";

    private final Database database;
    private final GrantAdministration grants;

    private TrialDatabase(Database database) {
        this.database = database;
        this.grants = new GrantAdministration(database.jdbi(), new CelConditions(), _ -> {});
    }

    public static TrialDatabase on(DatabaseUrl url) throws IOException {
        return new TrialDatabase(Database.open(url));
    }

    /** The embedded database of a stopped server. */
    public static TrialDatabase in(Path home) throws IOException {
        return new TrialDatabase(Database.open(home, null));
    }

    /** Creates a home that reuses the unpacked programs of the embedded database. */
    public static Path embedded(Path home) throws IOException {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Files.createSymbolicLink(
                home.resolve("postgres"), SharedPostgres.server().folder().resolve("postgres"));
    }

    /** The environment of a server with this database. */
    public static Map<String, String> environment(Path home, @Nullable DatabaseUrl url) {
        Map<String, String> environment = new HashMap<>();
        environment.put("TOOLGATE_HOME", home.toString());
        environment.put("TOOLGATE_PORTS", "0");
        environment.put("LOG_LEVEL", "error");
        environment.put("TOOLGATE_ADMIN_KEY", ADMIN_KEY);
        if (url != null) {
            environment.put("DATABASE_URL", setting(url));
        }
        return environment;
    }

    /** The same for one of several servers that share files. */
    public static Map<String, String> sharing(Path files, Path home, DatabaseUrl url) {
        Map<String, String> environment = environment(home, url);
        environment.put("TOOLGATE_WORKSPACE", files.resolve("workspace").toString());
        environment.put("TOOLGATE_TENANT_WORKSPACES", files.resolve("tenants").toString());
        environment.put("TOOLGATE_ARTIFACTS", files.resolve("artifacts").toString());
        return environment;
    }

    /** As a URL with user and password. */
    static String setting(DatabaseUrl url) {
        String password = URLEncoder.encode(url.password(), StandardCharsets.UTF_8);
        return url.jdbcUrl().replaceFirst("^jdbc:postgresql://", "postgresql://" + url.user() + ":" + password + "@");
    }

    public void grant(TenantId tenant, String agent, String tool, Terms terms) {
        grants.grant(tenant, new AgentId(agent), tool, terms, OPERATOR);
    }

    CreatedKey key(TenantId tenant, String role, @Nullable String agent) {
        return new ApiKeys(database.jdbi(), _ -> {})
                .create(NewKey.of(tenant, role, agent == null ? null : new AgentId(agent), "trial", null, "trial"));
    }

    public AuditQueries audit() {
        return new AuditQueries(database.jdbi());
    }

    Database database() {
        return database;
    }

    public List<Map<String, Object>> rows(String sql, Object... arguments) {
        return database.jdbi().withHandle(handle -> {
            var query = handle.createQuery(sql);
            for (int i = 0; i < arguments.length; i++) {
                query.bind(i, arguments[i]);
            }
            return query.mapToMap().list();
        });
    }

    public long count(String sql, Object... arguments) {
        return ((Number) rows(sql, arguments).getFirst().values().iterator().next()).longValue();
    }

    void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
