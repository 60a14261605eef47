package dev.toolgate.server.console;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleRoutesTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern NONCE = Pattern.compile("style-src 'self' 'nonce-([A-Za-z0-9+/=]{24})'");

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String unzipped(byte[] body) throws IOException {
        return new String(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void the_root_path_redirects_to_the_console() {
        for (String address : new String[] {"/", "/console"}) {
            Reply reply = server.anonymous().get(address);

            assertThat(reply.status()).isEqualTo(302);
            assertThat(reply.header("Location")).contains("/console/");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/",
                "/console/agents",
                "/console/agents/ada?tab=keys&q=a%20b&q=twice",
                "/console/tools/wiki%2Fread"
            })
    void every_console_path_returns_the_same_document(String address) {
        Reply reply = server.anonymous().get(address);

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(reply.header("Cache-Control")).contains("no-store");
        assertThat(reply.header("X-Frame-Options")).contains("DENY");
        assertThat(reply.text()).startsWith("<!doctype html>").doesNotContain("__NONCE__");
    }

    @Test
    void the_policy_allows_no_unsafe_code_and_no_other_origin() {
        String policy = server.anonymous()
                .get("/console/")
                .header("Content-Security-Policy")
                .orElseThrow();

        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self';", "connect-src 'self'", "frame-ancestors 'none'")
                .contains("base-uri 'none'", "form-action 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
    }

    @Test
    void every_document_has_a_nonce_of_its_own() {
        Reply one = server.anonymous().get("/console/");
        Reply other = server.anonymous().get("/console/");

        assertThat(nonce(one)).isNotEqualTo(nonce(other));
        assertThat(one.text()).contains("\"" + nonce(one) + "\"");
    }

    private static String nonce(Reply reply) {
        Matcher found = NONCE.matcher(reply.header("Content-Security-Policy").orElseThrow());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/assets/..%2Findex.html",
                "/console/assets/..%2F..%2Flogback.xml",
                "/console/assets/%2e%2e%2findex.html",
                "/console/assets/..%5Cindex.html",
                "/console/assets/../openapi/openapi.yaml",
                "/console/assets/%2Fetc%2Fpasswd",
                "/console/assets/.js",
                "/console/assets/index.html",
                "/console/assets/index.html%00.svg",
                "/console/assets/a%2F..%2Ficon.svg",
                "/console/../admin.key",
                "/console/assets/openapi.yaml",
                "/console/assets/"
            })
    void only_files_of_the_console_can_be_read(String address) throws Exception {
        HttpResponse<byte[]> answer = get(address);

        assertThat(answer.statusCode()).isBetween(400, 404);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void assets_are_cached_forever_and_have_their_content_type() throws Exception {
        HttpResponse<byte[]> icon = get("/console/assets/icon.svg");

        assertThat(icon.statusCode()).isEqualTo(200);
        assertThat(icon.headers().firstValue("Content-Type")).contains("image/svg+xml");
        assertThat(icon.headers().firstValue("Cache-Control")).contains("public, max-age=31536000, immutable");
        assertThat(icon.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(icon.headers().firstValue("Content-Security-Policy")).contains("default-src 'none'");
    }

    @Test
    void scripts_are_stored_compressed_and_sent_as_the_client_accepts() throws Exception {
        Matcher script = Pattern.compile("href=\"(/console/assets/first-[\\w-]+\\.js)\"")
                .matcher(server.anonymous().get("/console/").text());
        assertThat(script.find())
                .as("The console is built; see console/build.sh")
                .isTrue();

        HttpResponse<byte[]> plain = get(script.group(1));
        HttpResponse<byte[]> gzip = get(script.group(1), "Accept-Encoding", "gzip, br;q=0");
        HttpResponse<byte[]> brotli = get(script.group(1), "Accept-Encoding", "gzip, deflate, br, zstd");

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(brotli.headers().firstValue("Content-Encoding")).contains("br");
        assertThat(plain.headers().firstValue("Vary")).contains("Accept-Encoding");
        assertThat(unzipped(gzip.body())).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
        assertThat(gzip.body().length * 2).isLessThan(plain.body().length);
        assertThat(brotli.body().length).isLessThan(gzip.body().length);
    }

    @Test
    void large_json_is_compressed_if_the_client_accepts_it() throws Exception {
        String key = "Bearer " + server.key(FIRST, Role.ADMIN, null);
        HttpResponse<byte[]> plain = get("/api/v1/tools", "Authorization", key);
        HttpResponse<byte[]> gzip = get("/api/v1/tools", "Authorization", key, "Accept-Encoding", "gzip");

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(plain.headers().allValues("Vary")).contains("Accept-Encoding");
        assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(unzipped(gzip.body())).isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
        assertThat(gzip.body().length * 3).isLessThan(plain.body().length);
    }

    @Test
    void answers_with_secrets_and_small_ones_are_not_compressed() {
        var asking = server.admin().with("Accept-Encoding", "gzip");
        Reply key = asking.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"" + "long ".repeat(39) + "\"}");
        Reply login = server.anonymous()
                .with("Accept-Encoding", "gzip")
                .post("/api/v1/console/session", "{\"key\": \"" + server.key(FIRST, Role.ADMIN, null) + "\"}");

        assertThat(key.status()).isEqualTo(201);
        assertThat(login.status()).isEqualTo(200);
        for (Reply secret : new Reply[] {key, login, asking.get("/api/v1/whoami")}) {
            assertThat(secret.header("Content-Encoding")).isEmpty();
            assertThat(secret.json().isObject()).isTrue();
        }
    }
}
