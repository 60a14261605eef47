package dev.toolgate.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPolicyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.255.255.255",
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.0.0",
                "169.254.169.254",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.168.0.0",
                "192.168.255.255",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:0:808:808",
                "::7f00:1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:1",
                "64:ff9b:1::808:808",
                "100::1",
                "2001:0:7f00:1::f7f7:f7f7",
                "2001:0:808:808::80ff:fffe",
                "2001:db8::1",
                "2002:7f00:1::1",
                "2002:c0a8:101::1",
                "3fff::1",
                "4000::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1"
            })
    void refuses_non_public_addresses(String address) {
        assertThat(AddressPolicy.publicOnly().refusal("h", address(address), 80))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808",
                "2001:0:808:808::f7f7:f7f7",
                "2002:808:808::1",
                "2606:4700:4700::1111"
            })
    void allows_public_addresses(String address) {
        assertThat(AddressPolicy.publicOnly().refusal("h", address(address), 80))
                .isEmpty();
    }

    @Test
    void refuses_a_mapped_address_that_java_keeps_as_ipv6() throws UnknownHostException {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 127, 0, 0, 1};
        InetAddress address = Inet6Address.getByAddress(null, mapped, 1);
        assertThat(address).isInstanceOf(Inet6Address.class);
        assertThat(AddressPolicy.publicOnly().refusal("h", address, 80))
                .hasValueSatisfying(why -> assertThat(why).contains("loopback"));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.0/16, any.name, 10.1.2.3, 9999",
        "10.1.2.3:8080, 10.1.2.3, 10.1.2.3, 8080",
        "[::1]:3000, ::1, ::1, 3000",
        "fd00::/8, any.name, fd12::1, 443",
        "Wiki.Internal, wiki.internal, 10.9.9.9, 1234",
        "wiki.internal:8080, wiki.internal, 10.9.9.9, 8080",
        "localhost:3000, localhost, 127.0.0.1, 3000",
    })
    void an_operator_can_allow_an_internal_address(String place, String host, String address, int port) {
        assertThat(AddressPolicy.publicAnd(List.of(place)).refusal(host, address(address), port))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.0/16, any.name, 10.2.0.1, 80",
        "10.1.2.3:8080, 10.1.2.3, 10.1.2.3, 8081",
        "wiki.internal:8080, wiki.internal, 10.9.9.9, 22",
        "wiki.internal, evil.wiki.internal, 10.9.9.9, 80",
        "wiki.internal, other.example, 10.9.9.9, 80",
    })
    void an_allowed_internal_address_allows_nothing_else(String place, String host, String address, int port) {
        assertThat(AddressPolicy.publicAnd(List.of(place)).refusal(host, address(address), port))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "10.0.0.0/33", "10.0.0/x", "wiki internal", "http://wiki", "wiki:0", "wiki:99999", "/8"})
    void a_malformed_internal_address_is_an_error(String place) {
        assertThatThrownBy(() -> AddressPolicy.publicAnd(List.of(place)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an internal address");
    }

    @Test
    void a_public_address_of_this_machine_is_refused_once_assigned() {
        Set<InetAddress> own = new HashSet<>(Set.of(address("93.184.216.34"), address("2606:4700::1111")));
        AddressPolicy policy = AddressPolicy.withOwn(List.of(), () -> own);

        for (String refused : List.of("93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822")) {
            assertThat(policy.refusal("h", address(refused), 80)).hasValue("an address of this machine");
        }
        assertThat(policy.refusal("h", address("93.184.216.35"), 80)).isEmpty();

        own.add(address("93.184.216.35"));
        assertThat(policy.refusal("h", address("93.184.216.35"), 80)).isPresent();
    }

    @Test
    void an_operator_can_allow_an_address_of_this_machine() {
        AddressPolicy policy = AddressPolicy.withOwn(
                List.of(InternalAddress.parse("93.184.216.34:443")), () -> Set.of(address("93.184.216.34")));

        assertThat(policy.refusal("h", address("93.184.216.34"), 443)).isEmpty();
        assertThat(policy.refusal("h", address("93.184.216.34"), 80)).isPresent();
    }

    @Test
    void the_addresses_of_this_machine_are_those_of_its_interfaces() throws Exception {
        assertThat(OwnAddresses.ofThisMachine().now())
                .contains(InetAddress.getLoopbackAddress())
                .containsAll(NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .toList());
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }
}
