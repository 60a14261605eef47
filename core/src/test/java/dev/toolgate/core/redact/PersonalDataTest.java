package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersonalDataTest {
    private static final TenantId ACME = new TenantId("acme");

    private final Redactor redactor = Redactor.standard()
            .alsoHiding(tenant -> tenant.equals(ACME) ? EnumSet.allOf(PersonalData.class) : Set.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b+c@mail.example.com",
                "x@example.co",
                "jürgen@müller.de",
                "4111111111111111",
                "4111 1111 1111 1111",
                "5500-0000-0000-0004",
                "378282246310005",
                "+49 170 1234567",
                "+1 (212) 555-0123",
                "0049-30-123456",
                "(212) 555-0123",
                "212-555-0123",
            })
    void personal_data_is_masked_in_the_records_of_a_tenant_that_wants_it(String data) {
        String text = "to " + data + ", please";

        assertThat(redactor.of(ACME).record(text).value())
                .isEqualTo("to [redacted: " + data.length() + " characters], please");
        assertThat(redactor.of(ACME).mask(text).value()).as("approvers").isEqualTo(text);
        assertThat(redactor.of(new TenantId("other")).record(text).value()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111112", // the check digit is wrong
                "order 1234567890123",
                "2026-11-16T04:05:06Z",
                "127.0.0.1:8080",
                "user@localhost",
                "git@github",
                "v1.2.3-4567",
                "+1 2",
                "1-2-3",
                "3f2a91c0-1111-4111-8111-111111111111",
            })
    void other_numbers_and_names_stay(String text) {
        assertThat(redactor.of(ACME).record(text).value()).isEqualTo(text);
    }

    @Test
    void two_cards_in_a_row_are_both_masked() {
        assertThat(redactor.of(ACME).record("4111111111111111 5500000000000004").value())
                .doesNotContain("4111", "5500");
    }
}
