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
    void a_call_has_the_digest_it_had_in_the_first_version_so_that_it_is_known_again_after_an_update() {
        assertThat(CallDigest.key(call("file_read", "execute")).digest())
                .isEqualTo("4bb5f6a662678dc021ff81ecc2101893d70ea682f512adb507b40cf68031185e");
    }

    @Test
    void letters_that_move_from_one_part_to_the_next_make_another_call() {
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
