package dev.toolgate.runtime.tools.data;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
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
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.Parents;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code data_visualize}: runs a Python script on a file, and stores the image it creates. */
public final class DataVisualizeTool implements Tool<DataVisualizeTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "data_visualize",
                    ArgumentType.of(Arguments.class).reaching(Touch.COMMAND),
                    Category.DATA,
                    "Code.Execute",
                    "Run a Python script that makes an image of a data file; the path of the file is in INPUT_FILE and"
                            + " sys.argv[1], the path to save the image to in OUTPUT_IMAGE and sys.argv[2]")
            .returning(Result.class)
            .dangerous();

    private final ScriptRunner scripts;

    public DataVisualizeTool(ScriptRunner scripts) {
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

            @Param(value = "Python script; matplotlib can be used where it is installed", minLength = 1)
            @JsonProperty("visualization_script")
            String script,

            @Param(
                    value = "Where the image is written: PNG, JPEG, GIF, WebP or SVG",
                    minLength = 1,
                    touches = Touch.PATH)
            @JsonProperty("output_image_path")
            String outputImage) {}

    /** The result. */
    public record Result(
            String message,
            @JsonProperty("output_image_path") String outputImage) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        try (WorkspaceLease workspace = scripts.lease(context)) {
            Path input = ScriptRunner.input(workspace.files(), arguments.inputFile(), context.bounds());
            WorkspaceFile target = target(workspace.files(), arguments, input, context);
            return draw(arguments, input, target, workspace, context);
        }
    }

    private Output draw(
            Arguments arguments, Path input, WorkspaceFile target, WorkspaceLease workspace, ToolContext context)
            throws ToolFailure, InterruptedException {
        try (ImageScratch scratch = ImageScratch.open(workspace.files().projectRoot())) {
            FinishedCommand finished =
                    scripts.run(arguments.script(), input, Map.of(target.path(), scratch.file()), workspace, context);
            ImageScratch.Image image = scratch.read(arguments.outputImage(), context.bounds());
            target.write(image.bytes(), Parents.CREATE);
            List<Artifact> artifacts = new ArrayList<>(finished.artifacts());
            String name = target.path().getFileName().toString();
            artifacts.add(Artifact.of("image", image.mediaType(), name, Content.of(image.bytes())));
            return Output.of(
                            "Visualization generated: " + arguments.outputImage(),
                            new Result("Visualization generated", arguments.outputImage()))
                    .with(finished.metadata())
                    .withArtifacts(artifacts);
        }
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        try (WorkspaceLease workspace = scripts.lease(context)) {
            Path input = ScriptRunner.input(workspace.files(), arguments.inputFile(), context.bounds());
            WorkspaceFile target = target(workspace.files(), arguments, input, context);
            return Optional.of(
                    ScriptPreview.text(arguments.script(), input, target.path().toString(), context.bounds()));
        }
    }

    private static WorkspaceFile target(Workspace workspace, Arguments arguments, Path input, ToolContext context)
            throws ToolFailure {
        WorkspaceFile target = workspace.locate(arguments.outputImage(), Access.WRITE, context.bounds());
        ScriptRunner.inProject(workspace, target.path(), arguments.outputImage());
        Path real = workspace.validatePath(arguments.outputImage(), Access.WRITE);
        if (real.equals(input) || target.relative().isEmpty()) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'output_image_path' must name a file other than the input file, and not a folder");
        }
        return target;
    }
}
