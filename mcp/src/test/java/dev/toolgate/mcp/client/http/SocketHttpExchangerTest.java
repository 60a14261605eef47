package dev.toolgate.mcp.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.mcp.client.RawHttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketHttpExchangerTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path folder;

    private final AtomicInteger connections = new AtomicInteger();
    private final HttpExchanger exchanger = new SocketHttpExchanger(
            (host, port, timeout) -> {
                connections.incrementAndGet();
                return SocketConnector.ANY.connect(host, port, timeout);
            },
            SSLContext.getDefault(),
            Duration.ofSeconds(5));

    SocketHttpExchangerTest() throws NoSuchAlgorithmException {}

    @AfterEach
    void close() {
        exchanger.close();
    }

    private String ask(URI url) throws IOException {
        return ask(exchanger, url, Map.of());
    }

    private static String ask(HttpExchanger exchanger, URI url, Map<String, String> headers) throws IOException {
        ClientHttpRequest request = new ClientHttpRequest(
                "POST", url, headers, "question".getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(10));
        try (ClientHttpResponse response = exchanger.exchange(request, new RequestAbort())) {
            return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void one_connection_serves_many_requests() throws Exception {
        try (RawHttpServer server = new RawHttpServer((request, out) ->
                RawHttpServer.answer(out, 200, "text/plain", request.body() + " " + request.path()))) {
            for (int i = 0; i < 10; i++) {
                assertThat(ask(server.url("/a?b=" + i))).isEqualTo("question /a?b=" + i);
            }
            assertThat(connections.get()).isEqualTo(1);
        }
    }

    @Test
    void a_connection_closed_by_an_abort_is_not_reused() throws Exception {
        RequestAbort abort = new RequestAbort();
        SocketConnector connector = (host, port, timeout) -> {
            Socket socket = new Socket() {
                @Override
                public void setSoTimeout(int millis) throws SocketException {
                    super.setSoTimeout(millis);
                    if (millis == 0) {
                        abort.abort(); // exactly when the headers have been read and no body is left
                    }
                }
            };
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            return socket;
        };
        try (RawHttpServer server = new RawHttpServer((_, out) -> RawHttpServer.answer(out, 200, "text/plain", ""));
                HttpExchanger own =
                        new SocketHttpExchanger(connector, SSLContext.getDefault(), Duration.ofSeconds(5))) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofSeconds(5));
            own.exchange(request, abort).close();
            assertThat(ask(own, server.url("/"), Map.of())).isEmpty();
        }
    }

    @Test
    void the_timeout_is_that_of_the_whole_head_however_slowly_it_arrives() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (RawHttpServer server = new RawHttpServer((_, out) -> {
            try {
                out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.UTF_8));
                while (true) {
                    out.write('x');
                    out.flush();
                    new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
                }
            } finally {
                closed.countDown();
            }
        })) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofMillis(500));
            CompletableFuture<Integer> status = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try (ClientHttpResponse response = exchanger.exchange(request, new RequestAbort())) {
                    status.complete(response.status());
                } catch (IOException failed) {
                    status.completeExceptionally(failed);
                }
            });
            assertThat(status)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(SocketTimeoutException.class);
            assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void an_unread_body_closes_its_connection() throws Exception {
        try (RawHttpServer server =
                new RawHttpServer((request, out) -> RawHttpServer.answer(out, 200, "text/plain", "answer"))) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofSeconds(5));
            exchanger.exchange(request, new RequestAbort()).close();
            assertThat(ask(server.url("/"))).isEqualTo("answer");
            assertThat(connections.get()).isEqualTo(2);
        }
    }

    @Test
    void chunks_are_joined_and_the_connection_is_reused() throws Exception {
        String answer = String.join(
                "\r\n",
                "HTTP/1.1 100 Continue",
                "",
                "HTTP/1.1 200 OK",
                "Transfer-Encoding: chunked",
                "",
                "5;x=y",
                "hello",
                "6",
                " world",
                "0",
                "Trailer: t",
                "",
                "");
        try (RawHttpServer server =
                new RawHttpServer((request, out) -> out.write(answer.getBytes(StandardCharsets.UTF_8)))) {
            assertThat(ask(server.url("/"))).isEqualTo("hello world");
            assertThat(ask(server.url("/"))).isEqualTo("hello world");
            assertThat(connections.get()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish\r\n\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
                "HTTP/1.1 101 Switching\r\n\r\n"
            })
    void malformed_responses_are_refused(String answer) throws Exception {
        try (RawHttpServer server = new RawHttpServer((request, out) -> {
            out.write(answer.getBytes(StandardCharsets.UTF_8));
            out.flush();
            throw new IOException("The end");
        })) {
            assertThatThrownBy(() -> ask(server.url("/"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void endless_headers_are_refused() throws Exception {
        try (RawHttpServer server = new RawHttpServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write(new byte[10_000]);
            }
        })) {
            assertThatThrownBy(() -> ask(server.url("/"))).hasMessageContaining("too large");
        }
    }

    @Test
    void line_breaks_in_headers_are_refused() throws Exception {
        try (RawHttpServer server =
                new RawHttpServer((request, out) -> RawHttpServer.answer(out, 200, "text/plain", "answer"))) {
            assertThatThrownBy(() -> ask(exchanger, server.url("/"), Map.of("X", "a\r\nY: b")))
                    .isInstanceOf(IOException.class);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void an_exchange_can_be_aborted_while_waiting_for_the_response() throws Exception {
        RequestAbort abort = new RequestAbort();
        try (RawHttpServer server = new RawHttpServer((request, out) -> {
            abort.abort();
            new CountDownLatch(1).await();
        })) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofSeconds(5));
            assertThatThrownBy(() -> exchanger.exchange(request, abort)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void an_exchange_can_be_aborted_while_reading_the_body() throws Exception {
        RequestAbort abort = new RequestAbort();
        try (RawHttpServer server = new RawHttpServer((request, out) -> {
            RawHttpServer.open(out, "text/plain");
            new CountDownLatch(1).await();
        })) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofSeconds(5));
            InputStream body = exchanger.exchange(request, abort).body();
            Thread.startVirtualThread(abort::abort);
            assertThatThrownBy(body::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_response_that_takes_too_long_times_out() throws Exception {
        try (RawHttpServer server = new RawHttpServer((request, out) -> new CountDownLatch(1).await())) {
            ClientHttpRequest request =
                    new ClientHttpRequest("GET", server.url("/"), Map.of(), null, Duration.ofMillis(50));
            assertThatThrownBy(() -> exchanger.exchange(request, new RequestAbort()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_handshake_that_arrives_slowly_makes_the_server_unreachable() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                HttpExchanger impatient =
                        new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofMillis(500))) {
            Thread.startVirtualThread(() -> dripRecord(server));
            CompletableFuture<String> answer = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try {
                    answer.complete(
                            ask(impatient, URI.create("https://localhost:" + server.getLocalPort() + "/"), Map.of()));
                } catch (IOException failed) {
                    answer.completeExceptionally(failed);
                }
            });
            assertThat(answer)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(HttpUnreachable.class)
                    .withMessageContaining("handshake");
        }
    }

    /** Sends a TLS record of 16 kB, a byte every 20 ms. */
    private static void dripRecord(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(new byte[] {22, 3, 3, 0x40, 0});
            while (true) {
                socket.getOutputStream().write(0);
                new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
            }
        } catch (IOException | InterruptedException ended) {
            // The client gave up.
        }
    }

    @Test
    void the_certificate_must_be_trusted_and_name_the_host() throws Exception {
        KeyStore keys = keys();
        SSLContext known = context(keys);
        try (SSLServerSocket server = (SSLServerSocket)
                        known.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getLoopbackAddress());
                HttpExchanger trusting = new SocketHttpExchanger(SocketConnector.ANY, known, Duration.ofSeconds(5))) {
            Thread.startVirtualThread(() -> serve(server));
            String place = ":" + server.getLocalPort() + "/";

            assertThat(ask(trusting, URI.create("https://localhost" + place), Map.of()))
                    .isEqualTo("secret");
            assertThatThrownBy(() -> ask(trusting, URI.create("https://127.0.0.1" + place), Map.of()))
                    .isInstanceOf(HttpUnreachable.class);
            assertThatThrownBy(() -> ask(URI.create("https://localhost" + place)))
                    .isInstanceOf(HttpUnreachable.class);
        }
    }

    private static void serve(SSLServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.getInputStream().read();
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret"
                                .getBytes(StandardCharsets.UTF_8));
            } catch (IOException refused) {
                // The client rejected the certificate.
            }
        }
    }

    private KeyStore keys() throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext context(KeyStore keys) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
