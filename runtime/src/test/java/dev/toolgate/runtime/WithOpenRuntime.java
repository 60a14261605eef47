package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens a runtime for each test. */
abstract class WithOpenRuntime {
    @TempDir
    Path folder;

    OpenRuntime open;

    @BeforeEach
    void openRuntime() throws IOException {
        open = new OpenRuntime(folder);
    }

    @AfterEach
    void closeRuntime() {
        open.close();
    }

    static void assertError(ToolResult result, String code, String message) {
        assertThat(result.status()).isNotEqualTo(ToolResult.Status.SUCCEEDED);
        ToolResult.Problem problem = Objects.requireNonNull(result.error());
        assertThat(problem.code()).isEqualTo(code);
        assertThat(problem.message()).contains(message);
    }

    record ThrowingTool(String name) implements Tool<ThrowingTool.Nothing> {
        record Nothing(@Param("Nothing") @Nullable String nothing) {}

        ThrowingTool() {
            this("thrower");
        }

        @Override
        public ToolSpec<Nothing> spec() {
            return ToolSpec.of(name, Nothing.class, Category.EXEC, "Throw.Always", "Throws");
        }

        @Override
        public Output call(Nothing arguments, ToolContext context) {
            throw new IllegalStateException("always");
        }
    }
}
