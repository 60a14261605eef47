package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;

/** An HTTP proxy on a unix socket: the only network access of a confined command. */
public interface EgressProxy extends AutoCloseable {

    /** The socket the proxy listens on, alone in its folder. */
    Path socket();

    /** Closes all connections and removes the socket. */
    @Override
    void close();
}
