package dev.toolgate.server.config;

import dev.toolgate.runtime.sandbox.command.SandboxMode;

/** How commands are confined. */
public record SandboxSection(
        @Setting(
                value = "confined: commands are confined or refused; degraded: weaker means are accepted.",
                initial = "confined")
        SandboxMode mode) {}
