package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;

/** The only way out for a confined command that may use the network: an HTTP proxy on a unix socket. */
public interface EgressProxy extends AutoCloseable {

    /** The socket the proxy listens on, alone in its folder. */
    Path socket();

    /** Ends every connection and removes the socket. */
    @Override
    void close();
}
