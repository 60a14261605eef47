package dev.toolgate.server.door.frontend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Checks whether the peer process of a loopback connection runs as the same user as this server. A local proxy usually
 * runs as another user and need not add proxy headers, so a loopback address alone proves nothing. Linux exposes the
 * owner of a socket; on other systems the check always fails.
 */
final class PeerProcess {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final Path SELF = Path.of("/proc/self");
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int USER = 7;
    private static final int MAPPED_PREFIX = 12;

    private PeerProcess() {}

    /** Whether the owner of a socket can be determined on this system. */
    static boolean isSupported() {
        return TABLES.stream().anyMatch(Files::isReadable) && Files.exists(SELF);
    }

    /** Whether the peer of a connection belongs to the user that runs this server. */
    static boolean isOfSameUser(InetSocketAddress peer, InetSocketAddress local) {
        if (!isSupported()) {
            return false;
        }
        try {
            String self = String.valueOf(Files.getAttribute(SELF, "unix:uid"));
            for (Path table : TABLES) {
                if (Files.exists(table) && isIn(table, peer, local, self)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | UncheckedIOException unreadable) {
            return false;
        }
    }

    private static boolean isIn(Path table, InetSocketAddress peer, InetSocketAddress local, String user)
            throws IOException {
        try (Stream<String> lines = Files.lines(table)) {
            return lines.anyMatch(line -> isOwned(line, peer, local, user));
        }
    }

    /** Whether a line of the kernel's socket table is the peer's socket and owned by this user. */
    static boolean isOwned(String line, InetSocketAddress peer, InetSocketAddress local, String user) {
        String[] fields = line.strip().split("\\s+");
        return fields.length > USER
                && isAt(fields[LOCAL], peer)
                && isAt(fields[REMOTE], local)
                && fields[USER].equals(user);
    }

    private static boolean isAt(String written, InetSocketAddress address) {
        String upper = written.toUpperCase(Locale.ROOT);
        InetAddress ip = address.getAddress();
        String port = ":" + HexFormat.of().withUpperCase().toHexDigits((short) address.getPort());
        return upper.equals(words(ip.getAddress()) + port) || upper.equals(words(mapped(ip.getAddress())) + port);
    }

    // The IPv4-mapped form, for an IPv4 connection on an IPv6 socket.
    private static byte[] mapped(byte[] address) {
        return address.length != Integer.BYTES
                ? address
                : ByteBuffer.allocate(MAPPED_PREFIX + Integer.BYTES)
                        .put(MAPPED_PREFIX - 2, (byte) 0xFF)
                        .put(MAPPED_PREFIX - 1, (byte) 0xFF)
                        .put(MAPPED_PREFIX, address)
                        .array();
    }

    // The kernel prints each four bytes as a number in native byte order.
    private static String words(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder text = new StringBuilder();
        while (bytes.hasRemaining()) {
            text.append(HexFormat.of().withUpperCase().toHexDigits(bytes.getInt()));
        }
        return text.toString();
    }
}
