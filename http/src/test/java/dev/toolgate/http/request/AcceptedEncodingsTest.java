package dev.toolgate.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AcceptedEncodingsTest {
    @Test
    void names_are_found_in_any_case_and_order() {
        AcceptedEncodings browser = AcceptedEncodings.of("GZIP, deflate , br;q=0.5");

        assertThat(browser.includes("gzip")).isTrue();
        assertThat(browser.includes("br")).isTrue();
        assertThat(browser.includes("zstd")).isFalse();
    }

    @Test
    void a_quality_of_zero_excludes_and_a_star_includes_the_rest() {
        AcceptedEncodings accepted = AcceptedEncodings.of("*, gzip;q=0, br; q=0.000");

        assertThat(accepted.includes("gzip")).isFalse();
        assertThat(accepted.includes("br")).isFalse();
        assertThat(accepted.includes("zstd")).isTrue();
        assertThat(AcceptedEncodings.of("*;q=0").includes("gzip")).isFalse();
    }

    @Test
    void a_missing_or_overlong_header_accepts_nothing() {
        assertThat(AcceptedEncodings.of(null).includes("gzip")).isFalse();
        assertThat(AcceptedEncodings.of("gzip," + "x,".repeat(1000)).includes("gzip"))
                .isFalse();
    }
}
