package dev.toolgate.runtime.tools.shell;

/** What a command left behind, for programs. */
public record ShellResult(String stdout, String stderr, int exitCode) {}
