package dev.toolgate.server.config;

import java.util.List;

/** Which of the tools are there. */
public record ToolSettings(
        @Setting("Names of tools that nobody can use.") List<String> disabled) {
    public ToolSettings {
        disabled = List.copyOf(disabled);
    }
}
