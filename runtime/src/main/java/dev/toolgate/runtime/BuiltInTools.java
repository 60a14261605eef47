package dev.toolgate.runtime;

import dev.toolgate.core.tool.Tool;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.tools.data.DataAnalyzeTool;
import dev.toolgate.runtime.tools.data.DataVisualizeTool;
import dev.toolgate.runtime.tools.data.Python;
import dev.toolgate.runtime.tools.data.ScriptRunner;
import dev.toolgate.runtime.tools.file.FileDeleteTool;
import dev.toolgate.runtime.tools.file.FileListTool;
import dev.toolgate.runtime.tools.file.FileReadTool;
import dev.toolgate.runtime.tools.file.FileWriteTool;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.tools.http.HttpRequestTool;
import dev.toolgate.runtime.tools.shell.BashTool;
import dev.toolgate.runtime.workspace.Workspaces;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The list of built-in tools. Each is made once and works in the workspace of the call. */
public final class BuiltInTools {
    private BuiltInTools() {}

    /**
     * Every one of them.
     *
     * @param writes is told of every file that a tool changes
     * @param addresses what each tenant may reach
     * @param settings what commands get and how long they may run; its folders are not used
     */
    public static List<Tool<?>> all(
            Workspaces workspaces, WriteTracker writes, AddressPolicies addresses, RuntimeSettings settings) {
        Supplier<Map<String, String>> environment = settings.environment()::variables;
        ScriptRunner scripts = new ScriptRunner(workspaces, Python.OF_THE_SYSTEM, environment);
        return List.of(
                new FileReadTool(workspaces),
                new FileWriteTool(workspaces, writes),
                new FileDeleteTool(workspaces, writes),
                new FileListTool(workspaces),
                new BashTool(workspaces, environment, Platform.current(), settings.longestCommand()),
                new DataAnalyzeTool(scripts),
                new DataVisualizeTool(scripts),
                new HttpRequestTool(addresses, Resolver.SYSTEM));
    }
}
