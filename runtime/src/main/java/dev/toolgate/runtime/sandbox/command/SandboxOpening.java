package dev.toolgate.runtime.sandbox.command;

/** Makes a sandbox ready, or fails with a reason that a person can act on. */
@FunctionalInterface
public interface SandboxOpening {
    CommandSandbox open() throws Exception;
}
