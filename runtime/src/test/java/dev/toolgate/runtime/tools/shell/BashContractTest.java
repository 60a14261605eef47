package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class BashContractTest extends ToolContract {
    @TempDir
    private Path folder;

    private BashFixture bash;

    @BeforeEach
    void open() throws IOException {
        bash = new BashFixture(folder);
    }

    @AfterEach
    void close() {
        bash.close();
    }

    @Override
    protected Tool<?> tool() {
        return bash.tool;
    }

    @Override
    protected Map<String, ?> good() {
        return Map.of("command", "echo hello");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble("an empty command", tool(), Map.of("command", " "), ErrorCode.INVALID_REQUEST, "command"),
                new Trouble(
                        "a missing folder",
                        tool(),
                        Map.of("command", "true", "cwd", "absent"),
                        ErrorCode.FILE_NOT_FOUND,
                        "absent"),
                new Trouble(
                        "its own time-out",
                        tool(),
                        Map.of("command", "sleep 60", "timeout", 1),
                        ErrorCode.TOOL_EXECUTION_TIMEOUT,
                        "1"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(Map.of("command", "sleep 600"));
    }
}
