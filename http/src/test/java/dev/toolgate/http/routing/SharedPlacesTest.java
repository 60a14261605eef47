package dev.toolgate.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.routing.SharedPlaces.Entry;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedPlacesTest {
    private static final TenantId ONE = new TenantId("one");

    private final SharedPlaces places = new SharedPlaces(8);

    @Test
    void one_tenant_has_a_quarter_and_gets_back_what_it_leaves() {
        assertThat(places.enter(ONE)).isEqualTo(Entry.ADMITTED);
        assertThat(places.enter(ONE)).isEqualTo(Entry.ADMITTED);
        assertThat(places.enter(ONE)).isEqualTo(Entry.SHARE_USED_UP);
        places.leave(ONE);
        assertThat(places.enter(ONE)).isEqualTo(Entry.ADMITTED);
        assertThat(places.enter(ONE)).isEqualTo(Entry.SHARE_USED_UP);
        assertThat(places.count()).isEqualTo(2);
    }

    @Test
    void all_tenants_together_have_what_there_is() {
        Stream.of("a", "b", "c", "d").map(TenantId::new).forEach(tenant -> {
            assertThat(places.enter(tenant)).isEqualTo(Entry.ADMITTED);
            assertThat(places.enter(tenant)).isEqualTo(Entry.ADMITTED);
        });
        assertThat(places.enter(ONE)).isEqualTo(Entry.FULL);
        places.leave(new TenantId("a"));
        assertThat(places.enter(ONE)).isEqualTo(Entry.ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "4, 1", "5, 2", "1000, 250"})
    void a_quarter_is_rounded_up(int most, int ofOne) {
        assertThat(new SharedPlaces(most).mostOfOne()).isEqualTo(ofOne);
    }
}
