package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.runtime.SessionGate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class DataToolContractsTest {
    private static final String FOREVER = "import time\ntime.sleep(600)";
    private static final String SVG =
            "import sys\nopen(sys.argv[2], 'w').write('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')";

    @TempDir
    private Path folder;

    private SessionGate gate;

    @BeforeEach
    void open() throws IOException {
        gate = new SessionGate(folder);
        gate.file("data.csv", "a,b\n1,2\n");
    }

    @AfterEach
    void close() {
        gate.close();
    }

    abstract class DataContract extends ToolContract {
        private final String name;

        DataContract(String name) {
            this.name = name;
        }

        abstract Map<String, ?> arguments(String input, String script);

        @Override
        protected Tool<?> tool() {
            return gate.catalog.all(SessionGate.TENANT).stream()
                    .filter(tool -> tool.spec().name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    trouble("no such file", arguments("absent.csv", "pass"), ErrorCode.FILE_NOT_FOUND, "absent.csv"),
                    trouble("outside the workspace", arguments("../data.csv", "pass"), ErrorCode.PERMISSION_DENIED),
                    trouble(
                            "a failing script",
                            arguments("data.csv", "1 +"),
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "SyntaxError"),
                    trouble(
                            "a missing package",
                            arguments("data.csv", "import not_there"),
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "pip install not_there"));
        }

        Trouble trouble(String what, Map<String, ?> arguments, ErrorCode code, String... words) {
            return new Trouble(what, tool(), arguments, code, words);
        }

        @Override
        protected Optional<Map<String, ?>> endless() {
            return Optional.of(arguments("data.csv", FOREVER));
        }
    }

    @Nested
    class DataAnalyze extends DataContract {
        DataAnalyze() {
            super("data_analyze");
        }

        @Override
        Map<String, ?> arguments(String input, String script) {
            return Map.of("input_file_path", input, "analysis_script", script);
        }

        @Override
        protected Map<String, ?> good() {
            return arguments("data.csv", "print('ok')");
        }
    }

    @Nested
    class DataVisualize extends DataContract {
        DataVisualize() {
            super("data_visualize");
        }

        @Override
        Map<String, ?> arguments(String input, String script) {
            Map<String, Object> arguments = new HashMap<>();
            arguments.put("input_file_path", input);
            arguments.put("visualization_script", script);
            arguments.put("output_image_path", "plot.svg");
            return arguments;
        }

        @Override
        protected Map<String, ?> good() {
            return arguments("data.csv", SVG);
        }
    }
}
