package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.call;
import static dev.toolgate.runtime.network.LoopbackInternet.failure;
import static dev.toolgate.runtime.network.LoopbackInternet.get;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.runtime.network.ScriptedServer.Script;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that send too much or inconsistent data. */
class HttpRequestLimitsTest {
    private static final int MEGABYTE = 1024 * 1024;

    private final HttpRequestTool tool = new LoopbackInternet().tool();

    @Test
    void aborts_an_11_mb_body_with_content_length() throws Exception {
        assertTooLarge((_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + 11 * MEGABYTE + "\r\n\r\n").getBytes(US_ASCII));
            writeMegabytes(out, 11);
        });
    }

    @Test
    void aborts_an_11_mb_body_without_content_length() throws Exception {
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
    void aborts_a_gzip_bomb_by_its_decompressed_size() throws Exception {
        byte[] bomb = gzip(200);
        assertThat(bomb.length).isLessThan(MEGABYTE);
        assertTooLarge((_, out, _) -> {
            out.write(("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length + "\r\n\r\n")
                    .getBytes(US_ASCII));
            out.write(bomb);
        });
    }

    @Test
    void aborts_an_endless_sequence_of_empty_gzip_members() throws Exception {
        byte[] nothing = gzip(0);
        assertTooLarge((_, out, _) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".getBytes(US_ASCII));
            while (true) {
                out.write(nothing);
            }
        });
    }

    @Test
    void accepts_a_body_of_exactly_10_mb() throws Exception {
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
    void reports_a_truncated_response() throws Exception {
        try (ScriptedServer server = ScriptedServer.on(
                PUBLIC, ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"))) {
            assertThat(failure(tool, get(url(server))).message()).contains("before the whole response");
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
