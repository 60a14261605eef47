package dev.toolgate.runtime.network;

import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** Opens connections to addresses that a policy allows. A host is resolved once, and the checked addresses are used. */
public record GuardedSockets(AddressPolicy policy, Resolver resolver) {

    /**
     * Connects to the first address of the host that answers.
     *
     * @param timeout for all addresses together
     * @throws IOException if an address of the host is not allowed, or none answers
     */
    public Socket connect(String host, int port, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        IOException failure = new IOException("it has no address");
        for (InetAddress address : checked(host, port)) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            // Without this, the system property for a SOCKS proxy would send the connection elsewhere.
            Socket socket = new Socket(Proxy.NO_PROXY);
            try {
                socket.connect(new InetSocketAddress(address, port), Math.toIntExact(left));
                return socket;
            } catch (IOException unreachable) {
                socket.close();
                failure = unreachable;
            }
        }
        throw new IOException(NetworkProblem.describe(failure), failure);
    }

    private List<InetAddress> checked(String host, int port) throws IOException {
        try {
            return new AddressCheck(policy, resolver)
                    .addresses(Authority.parse((host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port, port));
        } catch (ToolFailure refused) {
            throw new IOException(refused.failure().message(), refused);
        }
    }
}
