package dev.toolgate.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.routing.TenantPermits.Admission;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantPermitsTest {
    private static final TenantId ONE = new TenantId("one");

    private final TenantPermits permits = new TenantPermits(8);

    @Test
    void one_tenant_gets_a_quarter_and_can_reuse_released_permits() {
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.ADMITTED);
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.ADMITTED);
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.SHARE_USED_UP);
        permits.release(ONE);
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.ADMITTED);
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.SHARE_USED_UP);
        assertThat(permits.count()).isEqualTo(2);
    }

    @Test
    void all_tenants_together_get_all_permits() {
        Stream.of("a", "b", "c", "d").map(TenantId::new).forEach(tenant -> {
            assertThat(permits.acquire(tenant)).isEqualTo(Admission.ADMITTED);
            assertThat(permits.acquire(tenant)).isEqualTo(Admission.ADMITTED);
        });
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.FULL);
        permits.release(new TenantId("a"));
        assertThat(permits.acquire(ONE)).isEqualTo(Admission.ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "4, 1", "5, 2", "1000, 250"})
    void a_quarter_is_rounded_up(int max, int ofOne) {
        assertThat(new TenantPermits(max).maxPerTenant()).isEqualTo(ofOne);
    }
}
