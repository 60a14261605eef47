package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with trusted and untrusted certificates. */
class HttpRequestTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final LoopbackInternet internet =
            new LoopbackInternet().name("good.example", PUBLIC).name("other.example", PUBLIC);
    private final AtomicInteger served = new AtomicInteger();
    private static SSLContext context;
    private HttpsServer server;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        context = contextFor(certificateFor("good.example", folder));
    }

    @BeforeEach
    void start() throws Exception {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral(PUBLIC), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            byte[] body = "safe".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void refuses_an_untrusted_certificate() {
        assertThat(failure(internet.tool(), get(url("good.example")))).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("is not trusted");
        });
        assertThat(served).hasValue(0);
    }

    @Test
    void accepts_a_trusted_certificate_for_the_requested_name() throws Exception {
        assertThat(call(trusting(), get(url("good.example"))).text()).endsWith("safe");
    }

    @Test
    void refuses_a_trusted_certificate_of_another_name() {
        assertThat(failure(trusting(), get(url("other.example"))).message()).contains("is not trusted");
        assertThat(served).hasValue(0);
    }

    private HttpRequestTool trusting() {
        return new HttpRequestTool(LoopbackInternet.POLICY, internet, new DefaultClientTlsStrategy(context));
    }

    private String url(String host) {
        return "https://" + host + ":" + server.getAddress().getPort() + "/";
    }

    private static Path certificateFor(String name, Path folder) throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return store;
    }

    private static SSLContext contextFor(Path store) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
