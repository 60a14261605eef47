package dev.toolgate.store.grant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.FilledRecords;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.json.Json;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Every component of the terms of a grant survives a round trip through the database. */
class GrantTermsRoundTripTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");

    private GrantStore store;

    @BeforeEach
    void open() throws Exception {
        store = GrantStore.open();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void a_grant_is_read_back_with_all_its_terms() {
        Terms terms = new FilledRecords()
                .fill(Terms.class)
                .when("operation=read", new ConditionExamples(List.of(example("read")), List.of(example("write"))));
        store.administration().grant(ACME, ALICE, "bash", terms, new Author("root", "because"));

        Permission read = new PermissionHistory(store.database().jdbi(), Clock.systemUTC())
                .permission(ACME, ALICE, "bash")
                .orElseThrow();

        assertThat(FilledRecords.differences(terms, read.terms())).isEmpty();
    }

    private static ObjectNode example(String operation) {
        return Json.MAPPER.createObjectNode().put("operation", operation);
    }

    @Test
    void methods_that_change_one_term_keep_the_others() {
        FilledRecords filling = new FilledRecords();
        assertThat(filling.lossesOfCopies(filling.fill(Terms.class), Set.of())).isEmpty();
    }
}
