package dev.toolgate.store.heldcall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import org.junit.jupiter.api.Test;

class CallLookupTest {

    @Test
    void a_call_whose_record_outlives_its_partition_is_found() throws Exception {
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            database.jdbi().useHandle(handle -> handle.execute("""
                    INSERT INTO tool_audit_logs_rest (tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name,
                        operation, parameters, allowed, status, result_summary, instance_id, sequence, previous_hash, hash)
                    VALUES ('default', 'order-1001', now() - interval '15 months', 'billing', 'default', 'file_read',
                        'execute', '{}', false, 'REFUSED', 'DENIED', gen_random_uuid(), 1, sha256('a'), sha256('b'))"""));
            CallLookup calls = new CallLookup(database.jdbi());

            assertThat(calls.find(new TenantId("default"), new RequestId("order-1001"), new AgentId("billing")))
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.tool()).isEqualTo("file_read");
                        assertThat(found.state()).isEqualTo(CallLookup.State.FORGOTTEN);
                    });
            assertThat(calls.find(new TenantId("default"), new RequestId("order-1002"), null))
                    .isEmpty();
        }
    }
}
