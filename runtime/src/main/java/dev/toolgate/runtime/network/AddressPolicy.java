package dev.toolgate.runtime.network;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides which addresses may be reached. */
@FunctionalInterface
public interface AddressPolicy {

    /**
     * Why this address is refused, as the end of a sentence that begins "it is"; empty if it is allowed.
     *
     * @param host the requested name or address, normalised
     * @param address the resolved address
     */
    Optional<String> refusal(String host, InetAddress address, int port);

    /** Only the public internet. */
    static AddressPolicy publicOnly() {
        return publicAnd(List.of());
    }

    /**
     * The public internet and these internal addresses, each written {@code 10.1.0.0/16}, {@code 10.1.2.3:8080},
     * {@code [fd00::1]:443}, {@code wiki.internal} or {@code wiki.internal:8080}.
     *
     * @throws IllegalArgumentException if an entry is malformed
     */
    static AddressPolicy publicAnd(List<String> internalAddresses) {
        List<InternalAddress> places =
                internalAddresses.stream().map(InternalAddress::parse).toList();
        return withOwn(places, OwnAddresses.ofThisMachine());
    }

    /** The same, for a machine with these local addresses. */
    static AddressPolicy withOwn(List<InternalAddress> places, OwnAddresses own) {
        return (host, address, port) -> RefusedRange.of(address)
                .map(RefusedRange::meaning)
                .or(() -> isOwn(address, own.now()) ? Optional.of("an address of this machine") : Optional.empty())
                .filter(_ -> places.stream().noneMatch(place -> place.covers(host, address, port)));
    }

    private static boolean isOwn(InetAddress address, Set<InetAddress> own) {
        return EmbeddedAddress.allOf(address).stream()
                .anyMatch(each -> own.stream().anyMatch(mine -> Arrays.equals(mine.getAddress(), each.getAddress())));
    }
}
