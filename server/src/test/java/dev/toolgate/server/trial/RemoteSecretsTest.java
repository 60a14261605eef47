package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of remote tools must not leak, and other tenants cannot use them. */
@Timeout(120)
class RemoteSecretsTest {
    private static final String VAULT_TOKEN = "hvs.planted-vault-token";
    private static final String BUILD_TOKEN = "planted-build-token-4711";
    private static final String VALUE = "planted-value-of-the-vault";

    @TempDir
    private Path folder;

    private HttpServer services;

    @BeforeEach
    void open() throws IOException {
        services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        services.createContext(
                "/v1/secret/data/shop",
                exchange -> answer(
                        exchange,
                        200,
                        "{\"data\": {\"data\": {\"value\": \"" + VALUE + "\"}, \"metadata\": {\"version\": 1}}}"));
        // Careless services that repeat the secrets they receive.
        services.createContext("/v1/secret/data/refused", exchange -> answer(exchange, 403, echo(exchange)));
        services.createContext(
                "/repos/octo/shop/actions/workflows/r.yml/dispatches",
                exchange -> answer(
                        exchange,
                        422,
                        "{\"message\": \"no " + exchange.getRequestHeaders().getFirst("Authorization") + "\"}"));
        services.start();
    }

    @AfterEach
    void close() {
        services.stop(0);
    }

    private static String echo(HttpExchange exchange) {
        return exchange.getRequestHeaders().values().toString();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void planted_secrets_are_not_in_answers_records_or_logs() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        DatabaseUrl own = MigratedDatabase.fresh();
        DatabaseUrl asked = SharedPostgres.newDatabase();
        Path token = Files.writeString(folder.resolve("token"), BUILD_TOKEN + "\n");
        Path password = Files.writeString(folder.resolve("password"), asked.password());
        String base = "http://127.0.0.1:" + services.getAddress().getPort();
        Files.writeString(home.resolve("toolgate.yaml"), """
                secrets: {default: {BUILD_TOKEN: 'file:%s', DB: 'file:%s'}}
                databases: {default: {shop: {url: '%s', user: %s, password: DB}}}
                vaults: {default: {address: '%s'}}
                builds: {default: {release: {kind: github_actions, base_url: '%s', repository: octo/shop, workflow: r.yml, token: BUILD_TOKEN}}}
                """.formatted(
                        token, password, asked.jdbcUrl(), asked.user(), base, base));
        Map<String, String> environment = TrialDatabase.environment(home, own);
        environment.put("LOG_LEVEL", "trace");
        environment.put("VAULT_TOKEN", VAULT_TOKEN);

        List<String> said = new ArrayList<>();
        try (TrialDatabase trial = TrialDatabase.on(own);
                ServerProcess server =
                        ServerProcess.withTrialTools(environment, Files.createFile(folder.resolve("effects")))) {
            Client admin = server.client();
            admin.grant("agent", "cloud_db_query", "vault_read", "remote_build", "note");

            Reply rows = admin.execute(
                    "db",
                    "agent",
                    "CloudDbQuery",
                    "{\"query\": \"SELECT 40 + 2 AS answer, '" + asked.password()
                            + "' AS said\", \"connectionName\": \"shop\"}");
            Reply secret = admin.execute("vault", "agent", "VaultRead", "{\"path\": \"shop\"}");
            Reply again = admin.execute("vault", "agent", "VaultRead", "{\"path\": \"shop\"}");
            Reply refused = admin.execute("vault-2", "agent", "vault_read", "{\"path\": \"refused\"}");
            Reply build = admin.execute("build", "agent", "RemoteBuild", "{\"build\": \"release\"}");
            Reply repeated = admin.execute(
                    "note",
                    "agent",
                    "note",
                    "{\"text\": \"" + VAULT_TOKEN + " " + BUILD_TOKEN + " " + asked.password() + "\"}");

            // The sender gets its own text back unmasked: masking it would confirm a right guess.
            assertThat(rows.text()).contains("42", asked.password());
            assertThat(secret.text()).contains(VALUE);
            assertThat(again.text()).contains("REQUEST_ID_TAKEN", "not kept").doesNotContain(VALUE);
            assertThat(refused.text()).contains("may not read");
            assertThat(build.text()).contains("refused the parameters");
            said.addAll(List.of(again.text(), refused.text(), build.text(), repeated.text()));
            said.add(admin.get("/api/v1/audit/logs").text());
            said.add(admin.get("/metrics").text());

            String tenantKey = otherTenantsKey(admin);
            Client other = admin.with(tenantKey);
            other.grant("agent", "cloud_db_query", "vault_read", "remote_build");
            assertThat(other.execute(
                                    "o1",
                                    "agent",
                                    "cloud_db_query",
                                    "{\"query\": \"SELECT 1\", \"connectionName\": \"shop\"}")
                            .text())
                    .contains("There is no database connection named 'shop'");
            assertThat(other.execute("o2", "agent", "vault_read", "{\"path\": \"shop\"}")
                            .text())
                    .contains("No vault is configured");
            assertThat(other.execute("o3", "agent", "remote_build", "{\"build\": \"release\"}")
                            .text())
                    .contains("There is no build named 'release'");
            server.stop();

            // The answer kept for the sender repeats what it sent.
            trial.rows("DELETE FROM request_keys WHERE request_id = 'db' RETURNING request_id");
            String stored = everything(trial);
            assertThat(stored).contains("cloud_db_query", "vault_read", "remote_build");
            String logged = Files.readString(home.resolve(ServerProcess.LOG));
            assertThat(logged).isNotEmpty();
            for (String planted : List.of(VAULT_TOKEN, BUILD_TOKEN, asked.password())) {
                assertThat(String.join("\n", said)).doesNotContain(planted);
                assertThat(secret.text()).doesNotContain(planted);
            }
            for (String planted : List.of(VAULT_TOKEN, BUILD_TOKEN, asked.password(), VALUE)) {
                assertThat(stored).as("the database").doesNotContain(planted);
                assertThat(logged).as("the log").doesNotContain(planted);
                assertThat(files(home)).as("files").doesNotContain(planted);
            }
        }
    }

    private static String otherTenantsKey(Client admin) {
        Reply made = admin.post("/api/v1/tenants", "{\"tenant_id\": \"acme\", \"name\": \"Acme\"}");
        Client.expect(201, made);
        return made.json().path("admin_key").path("key").asString();
    }

    static String everything(TrialDatabase trial) {
        StringBuilder all = new StringBuilder();
        trial.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
                .forEach(table -> all.append(
                        trial.rows("SELECT to_jsonb(t)::text AS line FROM " + table.get("table_name") + " t")));
        return all.toString();
    }

    static String files(Path home) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
