package dev.toolgate.runtime.network;

import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A listening unix socket in a new folder of its own that only one account may enter.
 *
 * @param channel accepts the connections
 */
record SocketFolder(Path folder, Path socket, ServerSocketChannel channel) implements AutoCloseable {
    private static final int BACKLOG = 64;

    /** Creates the folder inside the given one, which the account must be able to enter. */
    static SocketFolder create(Path parent, Account account) throws IOException {
        Path folder = Files.createTempDirectory(
                parent, "egress-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path socket = folder.resolve("proxy.sock");
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        SocketFolder created = new SocketFolder(folder, socket, channel);
        try {
            channel.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            give(socket, account);
            give(folder, account); // last, so that the account cannot enter before the socket is ready
            return created;
        } catch (IOException impossible) {
            created.close();
            throw new IOException(
                    "The socket of the egress proxy could not be created in " + parent + " for account '"
                            + account.name() + "': " + impossible.getMessage(),
                    impossible);
        }
    }

    private static void give(Path path, Account account) throws IOException {
        if (!Integer.valueOf(account.uid()).equals(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
            Files.setAttribute(path, "unix:gid", account.gid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:uid", account.uid(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(socket);
        Files.deleteIfExists(folder);
    }
}
