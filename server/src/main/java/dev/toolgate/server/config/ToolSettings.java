package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.tools.shell.BashSettings;
import dev.toolgate.tools.github.GitHubSettings;
import dev.toolgate.tools.memory.MemorySettings;
import dev.toolgate.tools.search.SearchSettings;
import dev.toolgate.tools.web.WebSettings;
import java.util.List;

/** Settings of the tools. */
public record ToolSettings(
        @Setting("Names of tools to disable.") List<String> disabled,

        @Setting("Running commands in a shell.") BashSettings bash,

        @Setting("Searching the web.") SearchSettings search,

        @Setting("Reading web pages.") WebSettings web,

        @Setting("Working on GitHub.") GitHubSettings github,

        @Setting("The memory of agents.") MemorySettings memory,

        @Setting("Tools that their callers run themselves.") ExternalToolSettings external) {
    public ToolSettings {
        disabled = List.copyOf(disabled);
        if (web.summaryModel() != null) {
            try {
                ModelName.parse(web.summaryModel());
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException("web.summary_model: " + wrong.getMessage(), wrong);
            }
        }
    }
}
