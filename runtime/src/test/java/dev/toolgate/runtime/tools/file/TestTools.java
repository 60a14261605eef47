package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.Folders;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Calls the file tools of a test workspace like the pipeline does. */
final class TestTools {
    final WriteTracker tracker = new WriteTracker();
    final Workspace workspace;
    Bounds bounds = Bounds.none();
    Caller caller = Caller.local();

    TestTools(Folders folders) {
        this.workspace = folders.workspace();
    }

    Output call(String name, Map<String, Object> arguments) throws ToolFailure, InterruptedException {
        return call(tool(name), context(name, arguments));
    }

    String preview(String name, Map<String, Object> arguments) throws ToolFailure, InterruptedException {
        return preview(tool(name), context(name, arguments));
    }

    Failure failure(String name, Map<String, Object> arguments) {
        ToolFailure failure = catchThrowableOfType(ToolFailure.class, () -> call(name, arguments));
        assertThat(failure).as("%s %s must fail", name, arguments).isNotNull();
        return failure.failure();
    }

    String read(String path) throws ToolFailure, InterruptedException {
        return call("file_read", Map.of("path", path)).text();
    }

    private Tool<?> tool(String name) {
        return FileTools.all(workspace, tracker).stream()
                .filter(tool -> tool.spec().names().anyMatch(name::equals))
                .findFirst()
                .orElseThrow();
    }

    private ToolContext context(String name, Map<String, Object> arguments) {
        return new ToolContext(Call.of(caller, name, (ObjectNode) Json.MAPPER.valueToTree(arguments)), bounds);
    }

    private static <A> Output call(Tool<A> tool, ToolContext context) throws ToolFailure, InterruptedException {
        return tool.call(arguments(tool, context), context);
    }

    private static <A> String preview(Tool<A> tool, ToolContext context) throws ToolFailure, InterruptedException {
        return tool.preview(arguments(tool, context), context).orElseThrow();
    }

    private static <A> A arguments(Tool<A> tool, ToolContext context) {
        ObjectNode given = context.call().arguments();
        assertThat(tool.spec().arguments().validate(given)).isEmpty();
        return tool.spec().arguments().decode(given);
    }
}
