package dev.toolgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.audit.InMemoryAuditLog;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.server.HttpServer;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.identity.ConsoleLoginRoutes;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.identity.ManualClock;
import dev.toolgate.server.wiring.IdentityParts;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.NewKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Console log-ins over HTTP with a manual clock. */
class ConsoleLifetimeTest {
    private static final String SESSION = "/api/v1/console/session";

    @TempDir
    private Path home;

    private final ManualClock clock = new ManualClock();
    private Database database;
    private IdentityParts identity;
    private HttpServer server;
    private String key;

    @BeforeEach
    void start() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        database = Database.open(url);
        ServerSettings settings = ServerSettings.load(
                null,
                Map.of(),
                Map.of("home", home.toString(), "auth.console.idle", "5m", "auth.console.absolute", "20m"));
        identity = IdentityParts.of(settings.auth(), database, new PublicAddress(null), clock);
        key = new ApiKeys(database.jdbi(), _ -> {})
                .create(NewKey.of(Principal.FIRST_TENANT, "operator", null, "test", null, "test"))
                .text();
        server = HttpServer.start(
                HttpSettings.on("127.0.0.1", List.of(0)),
                Routes.of(new ConsoleLoginRoutes(
                                identity.sessions(),
                                null,
                                new Administration(
                                        new AuditedChanges(new InMemoryAuditLog(100), Redactor.standard(), clock)))
                        .all()),
                identity.authenticator());
    }

    @AfterEach
    void stop() throws Exception {
        server.stop(Duration.ZERO);
        identity.close();
        database.close();
    }

    @Test
    void an_unused_log_in_ends_after_the_idle_time() {
        Client browser = logIn();
        clock.advance(Duration.ofMinutes(4));
        assertThat(browser.get("/api/v1/whoami").status()).isEqualTo(200);
        clock.advance(Duration.ofMinutes(4));
        assertThat(browser.get("/api/v1/whoami").status())
                .as("used in the meantime")
                .isEqualTo(200);

        clock.advance(Duration.ofMinutes(6));

        assertThat(browser.get("/api/v1/whoami").status()).isEqualTo(401);
    }

    @Test
    void a_log_in_in_use_ends_after_the_absolute_time() {
        Client browser = logIn();
        for (int minute = 1; minute < 20; minute++) {
            clock.advance(Duration.ofMinutes(1));
            assertThat(browser.get("/api/v1/whoami").status())
                    .as("minute " + minute)
                    .isEqualTo(200);
        }

        clock.advance(Duration.ofMinutes(1));

        assertThat(browser.get("/api/v1/whoami").status()).isEqualTo(401);
    }

    @Test
    void the_browser_gets_the_end_of_the_log_in() {
        Reply in = anonymous().post(SESSION, "{\"key\": \"" + key + "\"}");

        assertThat(in.header("Set-Cookie").orElseThrow()).contains("Max-Age=1200;");
        assertThat(in.json().path("expires_at").asString())
                .isEqualTo(clock.instant()
                        .truncatedTo(ChronoUnit.MILLIS)
                        .plus(Duration.ofMinutes(20))
                        .toString());
    }

    private Client logIn() {
        Reply in = anonymous().post(SESSION, "{\"key\": \"" + key + "\"}");
        assertThat(in.status()).as(in.toString()).isEqualTo(200);
        return anonymous().with("Cookie", in.header("Set-Cookie").orElseThrow().split(";", -1)[0]);
    }

    private Client anonymous() {
        return new Client(server.url());
    }
}
