package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;

/**
 * A CONNECT proxy for one command that reaches only the hosts it was opened for. The account
 * commands run as must be able to write to its socket.
 */
public interface EgressProxy extends AutoCloseable {

    /** The unix socket it listens on. */
    Path socket();

    @Override
    void close();
}
