package dev.toolgate.runtime.tools.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.output.ImageType;
import dev.toolgate.runtime.platform.Encodings;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.SizeLimit;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a file: text as text, images as artifacts; other binary files are only described. */
public final class FileReadTool implements Tool<FileReadTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "file_read",
                    Arguments.class,
                    Category.FILE,
                    "File.Read",
                    "Read the contents of a file at the given path")
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("ReadFile").requiringAbsolute("path"), Alias.web("readFile"));

    private static final int MAX_TEXT_BYTES = 1 << 20;
    private static final int MAX_IMAGE_BYTES = 10 << 20;
    private static final int HEAD_BYTES = 8192;

    private final Workspaces workspaces;

    public FileReadTool(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "File path to read, absolute or relative to the project root",
                    minLength = 1,
                    touches = Touch.PATH)
            String path,

            @Param(value = "Line number to start reading from (1-based)", min = 1, defaultValue = "1") @Nullable
            Long offset,

            @Param(value = "Maximum number of lines to return; all if left out", min = 1) @Nullable
            Long limit,

            @Param(value = "File encoding", defaultValue = "utf-8") @Nullable
            String encoding) {}

    /**
     * The content of the file.
     *
     * @param truncated {@code true} if the text was truncated because it is too long for one response; otherwise absent
     * @param nextOffset the line to continue from if the text was truncated; otherwise absent
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Result(
            String content,
            @Nullable Boolean truncated,
            @Nullable Long nextOffset) {
        static Result whole(String content) {
            return new Result(content, null, null);
        }

        static Result cut(String content, long nextOffset) {
            return new Result(content, true, nextOffset);
        }
    }

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        Charset asked = arguments.encoding() == null ? null : Encodings.find(arguments.encoding());
        try (WorkspaceLease workspace = workspaces.lease(context.workspace());
                OpenFile file = workspace
                        .files()
                        .locate(arguments.path(), Access.READ, context.bounds())
                        .open()) {
            SizeLimit.check(file.size(), arguments.path(), context.bounds());
            byte[] head = Bytes.read(file.channel(), HEAD_BYTES);
            Optional<ImageType> image = ImageType.of(head);
            if (image.isPresent() && file.size() <= MAX_IMAGE_BYTES) {
                return image(file, image.get(), arguments.path());
            }
            TextEncoding form = TextEncoding.of(head, asked);
            if (image.isPresent() || (form.unit() == 1 && TextEncoding.isBinary(head))) {
                return output("Binary file, " + file.size() + " bytes", Map.of("size", file.size(), "binary", true));
            }
            return text(file, form, workspace.files().platform(), arguments, context);
        } catch (IOException trouble) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "'" + arguments.path() + "' could not be read completely: " + trouble.getMessage());
        }
    }

    private static Output text(
            OpenFile file, TextEncoding form, Platform platform, Arguments arguments, ToolContext context)
            throws IOException, ToolFailure, InterruptedException {
        long first = arguments.offset() == null ? 1 : arguments.offset();
        long lines = arguments.limit() == null ? Long.MAX_VALUE : arguments.limit();
        file.channel().position(0);
        TextWindow window = TextWindow.read(
                file.channel(),
                form,
                new TextWindow.Wanted(first, lines, MAX_TEXT_BYTES, SizeLimit.of(context.bounds())));
        if (window.end() == TextWindow.End.SIZE_LIMIT) {
            throw SizeLimit.exceeded(window.bytesRead(), arguments.path(), context.bounds());
        }
        if (window.bytes().length == 0 && first > 1) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'offset' is " + first + ", but '" + arguments.path() + "' ends before that line");
        }
        TextDecoding decoded =
                TextDecoding.of(window.bytes(), form.charset(), platform.fallbackEncodings(), window.end());
        return shown(decoded, window, first, file.size());
    }

    private static Output shown(TextDecoding decoded, TextWindow window, long first, long size) {
        String encoding = decoded.charset().name();
        long last = first + window.lines() - 1;
        String about = "lines " + first + " to " + last + " of a file of " + size + " bytes";
        return switch (window.end()) {
            case END_OF_FILE, SIZE_LIMIT -> output(decoded.text(), Map.of("size", size, "encoding", encoding));
            case LINE_LIMIT ->
                output(
                        withoutLastNewline(decoded.text()),
                        Map.of("size", size, "encoding", encoding, "nextOffset", last + 1));
            case BYTE_LIMIT ->
                cut(
                        decoded.text(),
                        "[Truncated: " + about + "; read on with offset " + (last + 1) + "]",
                        Map.of("size", size, "encoding", encoding, "truncated", true, "nextOffset", last + 1),
                        last + 1);
            case WITHIN_LINE ->
                cut(
                        decoded.text(),
                        "\n[Truncated: " + about + ", the last of them only its first " + window.bytes().length
                                + " bytes; read on with offset " + (last + 1) + "]",
                        Map.of("size", size, "encoding", encoding, "truncated", true, "nextOffset", last + 1),
                        last + 1);
        };
    }

    // The note is only in the text for the model; programs get the unchanged content.
    private static Output cut(String content, String note, Map<String, Object> metadata, long nextOffset) {
        return Output.of(content + note, Result.cut(content, nextOffset)).with(metadata);
    }

    // The line break after the last line is not part of the result.
    private static String withoutLastNewline(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static Output image(OpenFile file, ImageType type, String path) throws IOException, InterruptedException {
        file.channel().position(0);
        byte[] bytes = Bytes.read(file.channel(), MAX_IMAGE_BYTES);
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        Artifact artifact = Artifact.of("image", type.mediaType(), name, Content.of(bytes));
        return output(
                        "Image file (" + type.mediaType() + "), " + bytes.length + " bytes, attached as an artifact",
                        Map.of("size", bytes.length, "mediaType", type.mediaType()))
                .withArtifacts(List.of(artifact));
    }

    private static Output output(String content, Map<String, Object> metadata) {
        return Output.of(content, Result.whole(content)).with(metadata);
    }
}
