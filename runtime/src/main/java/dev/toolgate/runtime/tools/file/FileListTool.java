package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.FileKind;
import dev.toolgate.runtime.sandbox.files.Listing;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.Workspaces;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the files and folders of a folder by name; folders end with a slash. */
public final class FileListTool implements Tool<FileListTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "file_list",
                    Arguments.class,
                    Category.FILE,
                    "File.Read",
                    "List the files and folders in a folder; folders end with a slash")
            .returning(Result.class)
            .alsoKnownAs(Alias.web("listFiles"));

    private static final int DEFAULT_LIMIT = 1000;
    private static final int MAX_LIMIT = 10_000;

    private final Workspaces workspaces;

    public FileListTool(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "Folder to list, absolute or relative to the project root",
                    minLength = 1,
                    touches = Touch.PATH,
                    defaultValue = ".")
            @Nullable
            String path,

            @Param(value = "Maximum number of entries to return", min = 1, max = MAX_LIMIT, defaultValue = "1000")
            @Nullable
            Integer limit) {}

    /** The result. */
    public record Result(List<String> files) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        String path = arguments.path() == null ? "." : arguments.path();
        int limit = arguments.limit() == null ? DEFAULT_LIMIT : arguments.limit();
        try (WorkspaceLease workspace = workspaces.lease(context.workspace())) {
            return output(workspace
                    .files()
                    .locate(path, Access.READ, context.bounds())
                    .list(limit));
        }
    }

    private static Output output(Listing listing) {
        String text = listing.entries().stream().map(FileListTool::line).collect(Collectors.joining("\n"));
        return Output.of(
                        text + note(listing),
                        new Result(listing.entries().stream()
                                .map(FileListTool::name)
                                .toList()))
                .with(Map.of(
                        "total",
                        listing.total(),
                        "truncated",
                        listing.total() > listing.entries().size()));
    }

    private static String name(Listing.Entry entry) {
        return entry.kind() == FileKind.FOLDER ? entry.name() + "/" : entry.name();
    }

    private static String line(Listing.Entry entry) {
        return switch (entry.kind()) {
            case FOLDER -> "folder  " + name(entry);
            case FILE -> "file    " + entry.name() + "  (" + entry.size() + " bytes)";
            case LINK -> "link    " + entry.name();
            case FIFO, DEVICE, SOCKET, OTHER -> "other   " + entry.name();
        };
    }

    private static String note(Listing listing) {
        int shown = listing.entries().size();
        if (listing.total() == 0) {
            return "The folder is empty.";
        }
        return listing.total() > shown
                ? "\n[Showing " + shown + " of " + listing.total() + " entries; set limit to get more, at most "
                        + MAX_LIMIT + "]"
                : "";
    }
}
