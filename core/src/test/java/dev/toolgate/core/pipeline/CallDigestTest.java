package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import org.junit.jupiter.api.Test;

class CallDigestTest {
    private static final Caller CALLER =
            new Caller(new TenantId("acme"), new AgentId("agent"), null, new WorkspaceId("default"), "key");

    @Test
    void the_digest_of_a_call_is_the_same_as_in_the_first_version() {
        assertThat(CallDigest.key(call("file_read", "execute")).digest())
                .isEqualTo("4bb5f6a662678dc021ff81ecc2101893d70ea682f512adb507b40cf68031185e");
    }

    @Test
    void moving_a_letter_between_parts_changes_the_digest() {
        assertThat(CallDigest.key(call("file_reade", "xecute")).digest())
                .isNotEqualTo(CallDigest.key(call("file_read", "execute")).digest());
    }

    private static Call call(String tool, String operation) {
        return Call.of(
                        CALLER,
                        tool,
                        Json.MAPPER.createObjectNode().put("path", "é.txt").put("lines", 3))
                .purpose(operation, null)
                .as(new RequestId("r-1"));
    }
}
