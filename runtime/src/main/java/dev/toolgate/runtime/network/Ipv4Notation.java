package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Parses every notation of an IPv4 address that inet_aton accepts: one to four parts, each decimal, octal or
 * hexadecimal, where the last fills the remaining bytes.
 */
final class Ipv4Notation {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final int MAX_PART_LENGTH = 16;

    private Ipv4Notation() {}

    /** Whether the host can only be an IPv4 address, because no domain name ends in a number. */
    static boolean looksLikeIpv4(String host) {
        return NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches();
    }

    /** The address; empty if the text is not one in any notation. */
    static Optional<InetAddress> parse(String host) {
        String[] parts = host.split("\\.", -1);
        if (parts.length > 4) {
            return Optional.empty();
        }
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            int bits = i < parts.length - 1 ? 8 : 8 * (5 - parts.length);
            long value = number(parts[i]);
            if (value < 0 || value >= 1L << bits) {
                return Optional.empty();
            }
            address = address << bits | value;
        }
        return Optional.of(of((int) address));
    }

    private static long number(String part) {
        if (part.length() > MAX_PART_LENGTH || !NUMBER.matcher(part).matches()) {
            return -1;
        }
        try {
            if (part.startsWith("0x")) {
                return part.length() == 2 ? 0 : Long.parseLong(part.substring(2), 16);
            }
            return Long.parseLong(part, part.startsWith("0") ? 8 : 10);
        } catch (NumberFormatException notOctal) {
            return -1;
        }
    }

    private static InetAddress of(int address) {
        byte[] bytes = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("Four bytes are always an address.", impossible);
        }
    }
}
