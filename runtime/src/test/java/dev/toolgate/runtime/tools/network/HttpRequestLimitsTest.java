package dev.toolgate.runtime.tools.network;

import static dev.toolgate.runtime.tools.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.tools.network.LoopbackInternet.call;
import static dev.toolgate.runtime.tools.network.LoopbackInternet.context;
import static dev.toolgate.runtime.tools.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.tools.network.LoopbackInternet.get;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.tools.network.ScriptedServer.Script;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that send too much, too slowly, or in circles. */
class HttpRequestLimitsTest {
    private static final int MEGABYTE = 1024 * 1024;

    private final HttpRequestTool tool = new LoopbackInternet().tool();

    @Test
    void aborts_an_11_mb_body_that_says_its_length() throws Exception {
        assertTooLarge((_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + 11 * MEGABYTE + "\r\n\r\n").getBytes(US_ASCII));
            writeMegabytes(out, 11);
        });
    }

    @Test
    void aborts_an_11_mb_body_that_does_not() throws Exception {
        assertTooLarge((_, out, _) -> {
            out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            writeMegabytes(out, 11);
        });
    }

    @Test
    void aborts_a_body_that_never_ends() throws Exception {
        assertTooLarge((_, out, _) -> {
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(US_ASCII));
            while (true) {
                out.write("100000\r\n".getBytes(US_ASCII));
                writeMegabytes(out, 1);
                out.write("\r\n".getBytes(US_ASCII));
            }
        });
    }

    @Test
    void aborts_a_gzip_bomb_by_what_it_unpacks_to() throws Exception {
        byte[] bomb = gzip(200);
        assertThat(bomb.length).isLessThan(MEGABYTE);
        assertTooLarge((_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length + "\r\n\r\n")
                    .getBytes(US_ASCII));
            out.write(bomb);
        });
    }

    @Test
    void aborts_an_endless_row_of_empty_gzip_members() throws Exception {
        byte[] nothing = gzip(0);
        assertTooLarge((_, out, _) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".getBytes(US_ASCII));
            while (true) {
                out.write(nothing);
            }
        });
    }

    @Test
    void takes_a_body_of_exactly_10_mb() throws Exception {
        Script tenMegabytes = (_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + 10 * MEGABYTE + "\r\n\r\n").getBytes(US_ASCII));
            writeMegabytes(out, 10);
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, tenMegabytes)) {
            assertThat(call(tool, get(url(server)))
                            .artifacts()
                            .getFirst()
                            .content()
                            .size())
                    .isEqualTo(10L * MEGABYTE);
        }
    }

    /** Ways to keep a client waiting. */
    enum Slowness {
        SILENCE(""),
        STATUS_LINE("HTTP/1.1 200 OK"),
        HEADERS("HTTP/1.1 200 OK\r\nX-Drip: "),
        BODY("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
        CHUNKS("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5000\r\n");

        final String start;

        Slowness(String start) {
            this.start = start;
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_time_out_ends_a_server_that_drips(Slowness slowness) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        Script drip = (_, out, _) -> {
            try {
                out.write(slowness.start.getBytes(US_ASCII));
                while (!gone.await(50, TimeUnit.MILLISECONDS)) {
                    if (slowness != Slowness.SILENCE) {
                        out.write('x');
                    }
                }
            } catch (IOException aborted) {
                gone.countDown();
            }
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, drip)) {
            Failure late = failure(tool, get(url(server), 1));
            assertThat(late.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            assertThat(late.message()).contains("within 1 seconds");
            if (slowness == Slowness.SILENCE) {
                gone.countDown(); // this one never writes, so it cannot notice
            }
            assertThat(gone.await(10, TimeUnit.SECONDS))
                    .as("the socket was closed")
                    .isTrue();
        }
    }

    @Test
    void endless_interim_answers_end_with_the_time_out() throws Exception {
        Script interim = (_, out, _) -> {
            while (true) {
                out.write("HTTP/1.1 103 Early Hints\r\n\r\n".getBytes(US_ASCII));
            }
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, interim)) {
            assertThat(failure(tool, get(url(server), 1)).code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        }
    }

    @Test
    void the_time_out_ends_a_connect_that_nobody_answers() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.ofLiteral(PUBLIC))) {
            List<SocketChannel> queue = new ArrayList<>();
            for (int i = 0; i < 4; i++) { // more than the queue holds, so that the next one gets no answer
                SocketChannel waiting = SocketChannel.open();
                waiting.configureBlocking(false);
                waiting.connect(full.getLocalSocketAddress());
                queue.add(waiting);
            }
            assertThat(failure(tool, get("http://" + PUBLIC + ":" + full.getLocalPort() + "/", 1))
                            .code())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            for (SocketChannel waiting : queue) {
                waiting.close();
            }
        }
    }

    @Test
    void a_name_server_that_answers_after_the_time_out_starts_nothing() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        Resolver slow = _ -> {
            worker.set(Thread.currentThread());
            try {
                late.await();
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
            return List.of(InetAddress.ofLiteral(PUBLIC));
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.ok(""))) {
            assertThat(failure(
                                    new HttpRequestTool(LoopbackInternet.POLICY, slow),
                                    get("http://slow.example:" + server.port() + "/", 1))
                            .code())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            late.countDown();
            worker.get().join();
            assertThat(server.hits()).isZero();
        }
    }

    @Test
    void leaves_no_descriptor_open_over_many_calls() throws Exception {
        Path descriptors = Path.of("/proc/self/fd");
        Assumptions.assumeTrue(Files.isDirectory(descriptors));
        Script mixed = (seen, out, socket) -> (seen.line().contains("/big")
                        ? ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nxxx")
                        : ScriptedServer.ok("fine"))
                .answer(seen, out, socket);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, mixed)) {
            call(tool, get(url(server)));
            int before = descriptors.toFile().list().length;
            for (int i = 0; i < 250; i++) {
                call(tool, get(url(server)));
                failure(tool, get(url(server) + "big"));
            }
            await().untilAsserted(
                            () -> assertThat(descriptors.toFile().list().length).isLessThanOrEqualTo(before + 5));
        }
    }

    @Test
    void the_limit_of_the_policy_counts_when_it_is_shorter() throws Exception {
        Bounds half = new Bounds(null, null, Duration.ofMillis(500), null, List.of(), null);
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, (_, _, _) -> new CountDownLatch(1).await())) {
            ToolFailure late =
                    catchThrowableOfType(ToolFailure.class, () -> tool.call(get(url(server), 600), context(half)));
            assertThat(late.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        }
    }

    @Test
    void an_interrupt_closes_the_socket_at_once() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicReference<Integer> afterwards = new AtomicReference<>();
        Script wait = (_, _, socket) -> {
            arrived.countDown();
            afterwards.set(socket.getInputStream().read());
        };
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, wait)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread caller = Thread.ofPlatform()
                    .start(() -> thrown.set(catchThrowable(() -> call(tool, get(url(server), 600)))));
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            await().untilAsserted(() -> assertThat(afterwards.get()).isEqualTo(-1));
            caller.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void follows_five_redirects(int status) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, countdown(status))) {
            assertThat(call(tool, get(url(server) + "5")).text()).endsWith("arrived");
            assertThat(server.hits()).isEqualTo(6);
        }
    }

    @Test
    void refuses_the_sixth_redirect() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, countdown(302))) {
            Failure failure = failure(tool, get(url(server) + "6"));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("more than 5 times");
            assertThat(server.hits()).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://127.0.0.2/", "http://user:pw@127.0.0.2/", "http://", "::::"})
    void refuses_a_redirect_to_something_that_is_not_a_web_address(String location) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, ScriptedServer.redirect(302, location))) {
            Failure failure = failure(tool, get(url(server)));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("cannot be followed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 1})
    void refuses_too_many_or_too_long_headers(int count) throws Exception {
        String headers = ("X-H: " + "v".repeat(count == 1 ? 20_000 : 1) + "\r\n").repeat(count);
        try (ScriptedServer server = ScriptedServer.on(
                PUBLIC, ScriptedServer.saying("HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 0\r\n\r\n"))) {
            Failure failure = failure(tool, get(url(server)));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("too many or too long headers");
        }
    }

    @Test
    void says_so_when_the_answer_ends_too_early() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(
                PUBLIC, ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"))) {
            assertThat(failure(tool, get(url(server))).message()).contains("before the whole answer");
        }
    }

    private void assertTooLarge(Script script) throws Exception {
        try (ScriptedServer server = ScriptedServer.on(PUBLIC, script)) {
            Failure failure = failure(tool, get(url(server)));
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("larger than 10 MB and was aborted");
            assertThat(failure.partial()).isNull();
        }
    }

    private static Script countdown(int status) {
        return (request, out, socket) -> {
            int left = Integer.parseInt(request.line().split("[ /]+")[1]);
            Script next = left == 0 ? ScriptedServer.ok("arrived") : ScriptedServer.redirect(status, "/" + (left - 1));
            next.answer(request, out, socket);
        };
    }

    private static void writeMegabytes(OutputStream out, int count) throws IOException {
        byte[] megabyte = new byte[MEGABYTE];
        for (int i = 0; i < count; i++) {
            out.write(megabyte);
        }
    }

    private static byte[] gzip(int megabytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            writeMegabytes(gzip, megabytes);
        }
        return packed.toByteArray();
    }

    private static String url(ScriptedServer server) {
        return "http://" + PUBLIC + ":" + server.port() + "/";
    }
}
