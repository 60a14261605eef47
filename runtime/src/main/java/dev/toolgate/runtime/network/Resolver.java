package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. */
@FunctionalInterface
public interface Resolver {

    /** The resolver of the operating system. */
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /** All addresses of the name, the preferred one first. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
