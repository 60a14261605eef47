package dev.toolgate.runtime;

import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.tools.data.DataAnalyzeTool;
import dev.toolgate.runtime.tools.data.DataVisualizeTool;
import dev.toolgate.runtime.tools.data.Python;
import dev.toolgate.runtime.tools.data.ScriptRunner;
import dev.toolgate.runtime.tools.file.FileChanges;
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

/** The list of built-in tools. Each instance is shared by all calls and works in the workspace of the current call. */
public final class BuiltInTools {
    private BuiltInTools() {}

    /**
     * All built-in tools, without keeping what is needed to undo changes.
     *
     * @param writes records every file that a tool changes
     */
    public static List<Tool<?>> all(
            Workspaces workspaces, WriteTracker writes, AddressPolicies addresses, RuntimeSettings settings) {
        return all(new FileChanges(workspaces, writes, KeptChanges.NONE), addresses, settings);
    }

    /**
     * All built-in tools.
     *
     * @param files how tools change files
     * @param addresses the addresses each tenant may reach
     * @param settings environment variables and time limit of commands; its folders are ignored
     */
    public static List<Tool<?>> all(FileChanges files, AddressPolicies addresses, RuntimeSettings settings) {
        Workspaces workspaces = files.workspaces();
        Supplier<Map<String, String>> environment = settings.environment()::variables;
        ScriptRunner scripts = new ScriptRunner(workspaces, Python.SYSTEM, environment);
        return List.of(
                new FileReadTool(workspaces),
                new FileWriteTool(files),
                new FileDeleteTool(files),
                new FileListTool(workspaces),
                new BashTool(workspaces, environment, Platform.current(), settings.maxCommandTimeout()),
                new DataAnalyzeTool(scripts),
                new DataVisualizeTool(scripts),
                new HttpRequestTool(addresses, Resolver.SYSTEM));
    }
}
