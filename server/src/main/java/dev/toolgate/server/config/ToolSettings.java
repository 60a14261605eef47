package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.tools.shell.BashSettings;
import dev.toolgate.tools.github.GitHubSettings;
import dev.toolgate.tools.memory.MemorySettings;
import dev.toolgate.tools.search.SearchSettings;
import dev.toolgate.tools.web.WebSettings;
import java.util.List;

/** Which of the tools are there, and what they work with. */
public record ToolSettings(
        @Setting("Names of tools that nobody can use.") List<String> disabled,

        @Setting("Running commands in a shell.") BashSettings bash,

        @Setting("Searching the web.") SearchSettings search,

        @Setting("Reading web pages.") WebSettings web,

        @Setting("Working on GitHub.") GitHubSettings github,

        @Setting("What agents remember.") MemorySettings memory) {
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
