package dev.toolgate.runtime.tools.data;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.command.FinishedCommand;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** {@code data_analyze}: runs a Python script on a file, and returns what it prints. */
public final class DataAnalyzeTool implements Tool<DataAnalyzeTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "data_analyze",
                    ArgumentType.of(Arguments.class).reaching(Touch.COMMAND),
                    Category.DATA,
                    "Code.Execute",
                    "Run a Python script on a data file and return what it prints; the path of the file is in the"
                            + " environment variable INPUT_FILE and in sys.argv[1]")
            .returning(Result.class)
            .dangerous();

    private final ScriptRunner scripts;

    public DataAnalyzeTool(ScriptRunner scripts) {
        this.scripts = scripts;
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "Data file, absolute or relative to the project root; the script can only read it",
                    minLength = 1,
                    touches = Touch.PATH)
            @JsonProperty("input_file_path")
            String inputFile,

            @Param(value = "Python script; pandas can be used where it is installed", minLength = 1)
            @JsonProperty("analysis_script")
            String script) {}

    /** The result. */
    public record Result(String stdout) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        try (WorkspaceLease workspace = scripts.lease(context)) {
            Path input = ScriptRunner.input(workspace.files(), arguments.inputFile(), context.bounds());
            FinishedCommand finished = scripts.run(arguments.script(), input, Map.of(), workspace, context);
            String text = finished.stdout().isEmpty() ? "The script printed nothing." : finished.stdout();
            return Output.of(text, new Result(finished.stdout()))
                    .with(finished.metadata())
                    .withArtifacts(finished.artifacts());
        }
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        try (WorkspaceLease workspace = scripts.lease(context)) {
            Path input = ScriptRunner.input(workspace.files(), arguments.inputFile(), context.bounds());
            return Optional.of(ScriptPreview.text(arguments.script(), input, "", context.bounds()));
        }
    }
}
