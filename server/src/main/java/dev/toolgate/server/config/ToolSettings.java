package dev.toolgate.server.config;

import java.util.List;

/** Which of the tools are there, and what they work with. */
public record ToolSettings(
        @Setting("Names of tools that nobody can use.") List<String> disabled,

        @Setting("Running commands in a shell.") BashSection bash,

        @Setting("Searching the web.") SearchSection search,

        @Setting("Reading web pages.") WebSection web,

        @Setting("Working on GitHub.") GitHubSection github,

        @Setting("What agents remember.") MemorySection memory) {
    public ToolSettings {
        disabled = List.copyOf(disabled);
    }
}
