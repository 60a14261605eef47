package dev.toolgate.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyBundleJsonTest {
    private static final String SMALL = """
            {"policyBundleVersion": "1", "schemaVersion": "1.0", "tenantId": "acme", "userId": "u",
             "sessionId": "s", "expiresAt": "2030-01-01T00:00:00Z", "capabilities": [{"name": "File.Read"}]}""";

    @Test
    void absent_fields_do_not_restrict() {
        PolicyBundle bundle = PolicyBundleJson.read(SMALL);

        assertThat(bundle.capabilities()).containsExactly(CapabilityGrant.named("File.Read"));
        assertThat(bundle.llmPolicy()).isEqualTo(LlmPolicy.NONE);
        assertThat(bundle.approvalRules()).isEqualTo(List.of());
    }

    @Test
    void ids_are_plain_texts() {
        assertThat(PolicyBundleJson.write(PolicyBundleJson.read(SMALL)))
                .contains("\"tenantId\":\"acme\"", "\"sessionId\":\"s\"", "\"expiresAt\":\"2030-01-01T00:00:00Z\"")
                .doesNotContain("null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "{\"surprise\": 1}",
                "{\"policyBundleVersion\": \"1\", \"schemaVersion\": \"1.0\", \"tenantId\": \"\", \"userId\": \"u\","
                        + " \"sessionId\": \"s\", \"expiresAt\": \"2030-01-01T00:00:00Z\", \"capabilities\": []}",
                "{\"policyBundleVersion\": \"1\", \"schemaVersion\": \"1.0\", \"tenantId\": \"a\", \"userId\": \"u\","
                        + " \"sessionId\": \"s\", \"expiresAt\": \"tomorrow\", \"capabilities\": []}",
                "{\"policyBundleVersion\": \"1\", \"schemaVersion\": \"1.0\", \"tenantId\": \"a\", \"userId\": \"u\","
                        + " \"sessionId\": \"s\", \"expiresAt\": \"2030-01-01T00:00:00Z\", \"capabilities\": [null]}",
                "{\"policyBundleVersion\": \"1\", \"schemaVersion\": \"1.0\", \"tenantId\": \"a\", \"userId\": \"u\","
                        + " \"sessionId\": \"s\", \"expiresAt\": \"2030-01-01T00:00:00Z\", \"capabilities\": [{}]}",
            })
    void a_malformed_bundle_is_refused(String json) {
        assertThatThrownBy(() -> PolicyBundleJson.read(json)).isInstanceOf(IllegalArgumentException.class);
    }
}
