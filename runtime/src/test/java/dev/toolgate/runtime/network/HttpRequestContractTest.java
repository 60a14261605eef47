package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PRIVATE;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class HttpRequestContractTest extends ToolContract {
    private final CountDownLatch never = new CountDownLatch(1);
    private ScriptedServer friendly;
    private ScriptedServer silent;
    private ScriptedServer internal;

    @BeforeEach
    void open() throws IOException {
        friendly = ScriptedServer.on(PUBLIC, ScriptedServer.ok("hello"));
        silent = ScriptedServer.on(PUBLIC, (_, _, _) -> never.await());
        internal = ScriptedServer.on(PRIVATE, ScriptedServer.ok("internal"));
    }

    @AfterEach
    void close() throws IOException {
        never.countDown();
        friendly.close();
        silent.close();
        internal.close();
    }

    private static Map<String, ?> url(String host, int port) {
        return Map.of("url", "http://" + host + ":" + port + "/");
    }

    @Override
    protected Tool<?> tool() {
        return new LoopbackInternet().tool();
    }

    @Override
    protected Map<String, ?> good() {
        return url(PUBLIC, friendly.port());
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "an internal address",
                        tool(),
                        url(PRIVATE, internal.port()),
                        ErrorCode.PERMISSION_DENIED,
                        PRIVATE),
                new Trouble(
                        "an unknown host",
                        tool(),
                        Map.of("url", "http://absent.example/"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "absent.example"),
                new Trouble(
                        "an invalid URL",
                        tool(),
                        Map.of("url", "ftp://example.org/"),
                        ErrorCode.INVALID_REQUEST,
                        "URL"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(url(PUBLIC, silent.port()));
    }
}
