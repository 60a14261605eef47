package dev.toolgate.runtime.sandbox.command;

/** Opens a sandbox, or fails with a reason and a fix. */
@FunctionalInterface
public interface SandboxFactory {
    CommandSandbox open() throws Exception;
}
