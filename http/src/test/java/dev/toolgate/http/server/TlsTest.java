package dev.toolgate.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.server.TestCertificate.Form;
import dev.toolgate.http.tls.TlsCertificate;
import dev.toolgate.http.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

class TlsTest {
    private static final TestCertificate FIRST = TestCertificate.make("EC", "first");
    private static final TestCertificate SECOND = TestCertificate.make("RSA", "second");

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // each test starts its own
    private TlsCertificate certificate;

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.stop(Duration.ZERO);
        }
        if (certificate != null) {
            certificate.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"EC, PKCS8", "EC, TRADITIONAL", "RSA, PKCS8", "RSA, TRADITIONAL"})
    void all_key_formats_serve_http2_and_http1(String algorithm, Form form) throws Exception {
        TestCertificate one = algorithm.equals("EC") ? FIRST : SECOND;
        start(one, form);

        assertThat(server.url()).startsWith("https://");
        HttpResponse<String> modern = get(client(HttpClient.Version.HTTP_2, one), "/source");
        assertThat(modern.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(modern.body()).isEqualTo("{\"channel\":\"TLS\",\"host\":true}");
        HttpResponse<String> old = get(client(HttpClient.Version.HTTP_1_1, one), "/source");
        assertThat(old.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(old.body()).isEqualTo("{\"channel\":\"TLS\",\"host\":true}");
    }

    @Test
    void many_requests_at_once_are_answered_over_http2() throws Exception {
        start(FIRST, Form.PKCS8);
        try (HttpClient client = client(HttpClient.Version.HTTP_2, FIRST)) {
            get(client, "/source");
            var answers = java.util.stream.IntStream.range(0, 90)
                    .mapToObj(_ -> client.sendAsync(request("/source"), BodyHandlers.ofString()))
                    .toList();
            for (var answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
                assertThat(answer.get().version()).isEqualTo(HttpClient.Version.HTTP_2);
            }
        }
    }

    @Test
    void plain_http_and_old_protocols_are_not_served() throws Exception {
        start(FIRST, Form.PKCS8);
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest plain = HttpRequest.newBuilder(URI.create(server.url().replace("https", "http") + "/source"))
                    .build();
            assertThatThrownBy(() -> client.send(plain, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
        SSLContext context = TestCertificate.trusting(FIRST);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", server.ports().getFirst())) {
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
        assertThat(List.of(certificate.factory().getIncludeProtocols())).containsExactly("TLSv1.3", "TLSv1.2");
    }

    @Test
    void a_client_that_does_not_trust_the_certificate_fails() throws Exception {
        start(FIRST, Form.PKCS8);
        try (HttpClient stranger = client(HttpClient.Version.HTTP_2, SECOND)) {
            assertThatThrownBy(() -> get(stranger, "/source")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void a_new_certificate_is_used_without_dropping_connections() throws Exception {
        start(FIRST, Form.PKCS8);
        SSLContext both = TestCertificate.trusting(FIRST, SECOND);
        try (SSLSocket open = (SSLSocket)
                both.getSocketFactory().createSocket("127.0.0.1", server.ports().getFirst())) {
            assertThat(ask(open)).startsWith("HTTP/1.1 200");

            SECOND.write(certificateFile(), keyFile(), Form.TRADITIONAL);

            await().until(() -> shown(both).equals(SECOND.certificate()));
            assertThat(ask(open)).as("the connection opened before").startsWith("HTTP/1.1 200");
            assertThat(open.getSession().getPeerCertificates()[0]).isEqualTo(FIRST.certificate());
            assertThat(certificate.problem()).isEmpty();
        }
    }

    @Test
    void unusable_files_keep_the_previous_certificate_and_are_reported() throws Exception {
        start(FIRST, Form.PKCS8);
        SSLContext both = TestCertificate.trusting(FIRST, SECOND);

        Files.writeString(keyFile(), SECOND.keyPem(Form.PKCS8));
        await().until(() -> certificate.problem().isPresent());
        assertThat(certificate.problem().orElseThrow()).contains("does not match the certificate");
        assertThat(shown(both)).isEqualTo(FIRST.certificate());

        Files.delete(certificateFile());
        await().until(() -> certificate.problem().orElse("").contains("does not exist"));
        assertThat(shown(both)).isEqualTo(FIRST.certificate());

        SECOND.write(certificateFile(), keyFile(), Form.PKCS8);
        await().until(() -> shown(both).equals(SECOND.certificate()));
        await().until(() -> certificate.problem().isEmpty());
    }

    @Test
    void files_that_cannot_be_used_are_refused_with_one_sentence() throws Exception {
        FIRST.write(certificateFile(), keyFile(), Form.PKCS8);
        TlsSettings settings = settings(null);

        Files.writeString(keyFile(), SECOND.keyPem(Form.PKCS8));
        assertThatThrownBy(() -> TlsCertificate.load(settings))
                .hasMessage("The private key in " + keyFile() + " does not match the certificate in "
                        + certificateFile() + ".");
        Files.writeString(
                keyFile(), "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        assertThatThrownBy(() -> TlsCertificate.load(settings)).hasMessageContaining("it is encrypted");
        Files.writeString(keyFile(), "nothing");
        assertThatThrownBy(() -> TlsCertificate.load(settings)).hasMessageContaining("there is no PRIVATE KEY block");
        Files.writeString(certificateFile(), "nothing");
        assertThatThrownBy(() -> TlsCertificate.load(settings)).hasMessageContaining("no certificate");
        Files.delete(certificateFile());
        assertThatThrownBy(() -> TlsCertificate.load(settings)).hasMessageContaining("does not exist");
    }

    @Test
    void hsts_is_sent_only_if_configured() throws Exception {
        start(FIRST, Form.PKCS8);
        assertThat(get(client(HttpClient.Version.HTTP_2, FIRST), "/source")
                        .headers()
                        .map())
                .doesNotContainKey("strict-transport-security");
        stop();
        start(FIRST, Form.PKCS8, Duration.ofDays(1));

        assertThat(get(client(HttpClient.Version.HTTP_2, FIRST), "/source")
                        .headers()
                        .firstValue("Strict-Transport-Security"))
                .contains("max-age=86400");
    }

    private void start(TestCertificate shown, Form form) throws IOException {
        start(shown, form, null);
    }

    private void start(TestCertificate shown, Form form, @Nullable Duration hsts) throws IOException {
        shown.write(certificateFile(), keyFile(), form);
        certificate = TlsCertificate.load(settings(hsts));
        HttpSettings defaults = LiveServer.defaults();
        HttpSettings settings = new HttpSettings(
                defaults.host(),
                defaults.ports(),
                defaults.idle(),
                defaults.requestTimeout(),
                defaults.minBodyRate(),
                defaults.maxConnections(),
                defaults.maxRequests(),
                defaults.maxEventStreams(),
                defaults.heartbeat(),
                List.of(),
                certificate,
                defaults.grace());
        Route route = Route.get(
                "/source",
                RouteAccess.open(),
                Dialect.STANDARD,
                exchange -> Response.json(JsonNodeFactory.instance
                        .objectNode()
                        .put("channel", exchange.source().channel().name())
                        .put("host", exchange.header("Host").isPresent())));
        server = HttpServer.start(settings, new Routes(List.of(route)), new LiveServer.FixedKeys());
    }

    private TlsSettings settings(@Nullable Duration hsts) {
        return new TlsSettings(certificateFile(), keyFile(), hsts, Duration.ofMillis(50));
    }

    private Path certificateFile() {
        return folder.resolve("tls.crt");
    }

    private Path keyFile() {
        return folder.resolve("tls.key");
    }

    private static HttpClient client(HttpClient.Version version, TestCertificate trusted) {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(TestCertificate.trusting(trusted))
                .build();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private HttpResponse<String> get(HttpClient client, String path) throws Exception {
        return client.send(request(path), BodyHandlers.ofString());
    }

    private X509Certificate shown(SSLContext context) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket("127.0.0.1", server.ports().getFirst())) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private static String ask(SSLSocket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /source HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        byte[] answer = new byte[4096];
        StringBuilder text = new StringBuilder();
        while (text.indexOf("}") < 0) {
            int count = socket.getInputStream().read(answer);
            if (count < 0) {
                break;
            }
            text.append(new String(answer, 0, count, java.nio.charset.StandardCharsets.US_ASCII));
        }
        return text.toString();
    }
}
