package dev.toolgate.runtime.tools.shell;

/** The structured result of {@code bash}. */
public record ShellResult(String stdout, String stderr, int exitCode) {}
