package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.RunsAt;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.CanonicalJson;
import dev.toolgate.store.audit.record.ChainHead;
import dev.toolgate.store.audit.record.ChainLink;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Records written by earlier versions still verify. */
class StableDigestsTest {
    private static final CallFacts FACTS = FirstVersion.facts(
            "acme",
            "r-1",
            Instant.parse("2026-03-04T05:06:07.123456Z"),
            "agent",
            null,
            "default",
            "project é",
            "file.read",
            "execute",
            "{\"path\":\"a\"}",
            true,
            AuditLog.Status.COMPLETED,
            null,
            null,
            "somebody",
            12,
            "x".repeat(3000),
            new BigDecimal("0.25"),
            "key tg_1");

    @Test
    void digests_of_version_1_are_stable() {
        assertThat(FACTS.digest()).isEqualTo("6524d06b3e5834d4b07448ccef00c9a861f1fd1012049c02be5d133b8bf721b3");
    }

    @Test
    void digests_of_version_2_are_stable() {
        CallFacts facts = new CallFacts(
                "acme",
                "r-1",
                Instant.parse("2026-03-04T05:06:07.123456Z"),
                "agent",
                null,
                "default",
                "project é",
                "file.read",
                "execute",
                "{\"path\":\"a\"}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                "somebody",
                12,
                "x".repeat(3000),
                new BigDecimal("0.25"),
                "key tg_1",
                null,
                null,
                null,
                2,
                AuditLog.Kind.CALL,
                "corr-1",
                null,
                null,
                "call_1",
                null,
                null,
                Instant.parse("2026-03-04T05:06:07Z"),
                "hmac-sha256:00",
                7,
                null,
                RunsAt.GATE,
                null);

        assertThat(facts.digest()).isEqualTo("7949d7bfc1700991e2bea0d6033d23d04b1a5e04f5bb30e043bfebf2a1086081");
    }

    @Test
    void chain_hashes_are_stable() {
        ChainLink link = ChainLink.after(new UUID(1, 2), 41, ChainLink.ORIGIN, FACTS.digest());

        assertThat(link.hash()).isEqualTo("1609a6a80e1ff983f9997b2c149331e94f6f7342db33ad1dcfa49ca3246e3431");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"b\":1,\"a\":[true,null,{\"z\":\"\",\"y\":-12345678901234567890}]}",
                "{\"a\":1.50,\"b\":1e3,\"c\":0.0,\"d\":1e999,\"e\":100}",
                "{\"path\":\"/a/b\",\"quote\":\"\\\"\",\"back\":\"\\\\\",\"tab\":\"\\t\",\"bell\":\"\\u0007\"}",
                "{\"é\":\"ü\",\"nul\":\"\\u0000\",\"half\":\"\\ud800\",\"whole\":\"\\ud83d\\ude00\",\"del\":\"\\u007f\"}"
            })
    void canonical_json_of_a_tree_and_of_its_text_are_the_same(String json) {
        ObjectNode tree = (ObjectNode) CanonicalJson.EXACT.readTree(json);

        assertThat(CanonicalJson.storable(tree)).isEqualTo(CanonicalJson.of(tree.toString()));
    }

    @Test
    void canonical_json_of_java_values_is_that_of_their_text() {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        tree.put("float", 0.1f).put("double", 0.1).put("long", 1L << 40).put("bytes", new byte[] {1, 2});
        tree.putPOJO("record", new ChainHead(new UUID(1, 2), 3, "hash"));

        assertThat(CanonicalJson.storable(tree)).isEqualTo(CanonicalJson.of(tree.toString()));
    }
}
