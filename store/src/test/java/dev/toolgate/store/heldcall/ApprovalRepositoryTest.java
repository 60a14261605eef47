package dev.toolgate.store.heldcall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.heldcall.ApprovalRepository.OtherInstances;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every transition of a held call, attempted in every state. */
class ApprovalRepositoryTest {
    private static final UUID ME = UUID.randomUUID();

    private Database database;

    enum State {
        OPEN("NULL, NULL, NULL, NULL"),
        APPROVED("'APPROVED', now() - interval '1 minute', NULL, NULL"),
        REFUSED("'DENIED', now() - interval '1 minute', NULL, NULL"),
        CLAIMED("'APPROVED', now() - interval '1 minute', now(), NULL"),
        ENDED("'APPROVED', now() - interval '1 minute', now(), now()");

        /** The values of verdict, answered_at, claimed_at and ended_at. */
        private final String columns;

        State(String columns) {
            this.columns = columns;
        }
    }

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        sql("INSERT INTO tenants (tenant_id, name) VALUES ('default', 'Default') ON CONFLICT DO NOTHING");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = """
            # transition,        OPEN,     APPROVED, REFUSED, CLAIMED,  ENDED
            claim,               OPEN,     CLAIMED,  REFUSED, CLAIMED,  ENDED
            withdraw,            CLAIMED,  CLAIMED,  CLAIMED, CLAIMED,  ENDED
            give back,           OPEN,     APPROVED, REFUSED, APPROVED, ENDED
            leave,               OPEN,     APPROVED, REFUSED, CLAIMED,  ENDED
            expire,              REFUSED,  APPROVED, REFUSED, CLAIMED,  ENDED
            withdraw abandoned,  REFUSED,  APPROVED, REFUSED, CLAIMED,  ENDED
            take over answered,  OPEN,     APPROVED, REFUSED, CLAIMED,  ENDED
            take over claimed,   OPEN,     APPROVED, REFUSED, CLAIMED,  ENDED
            end,                 ENDED,    ENDED,    ENDED,   ENDED,    ENDED
            end recorded,        OPEN,     ENDED,    ENDED,   ENDED,    ENDED
            """)
    void has_only_the_transitions_of_the_table(
            String transition, State open, State approved, State refused, State claimed, State ended) {
        Map<State, State> expected = Map.of(
                State.OPEN, open,
                State.APPROVED, approved,
                State.REFUSED, refused,
                State.CLAIMED, claimed,
                State.ENDED, ended);
        for (State from : State.values()) {
            UUID id = heldIn(from);
            String before = row(id);
            boolean succeeded = attempt(transition, id);

            assertThat(stateOf(id)).as(transition + " from " + from).isEqualTo(expected.get(from));
            switch (transition) {
                case "claim" -> assertThat(succeeded).isEqualTo(from == State.APPROVED);
                case "take over answered" ->
                    assertThat(succeeded).isEqualTo(from == State.APPROVED || from == State.REFUSED);
                case "take over claimed" -> assertThat(succeeded).isEqualTo(from == State.CLAIMED);
                default -> assertThat(succeeded).isTrue();
            }
            if (from == State.ENDED) {
                assertThat(row(id)).as("an ended call is never changed").isEqualTo(before);
            }
        }
    }

    @Test
    void a_claim_that_another_instance_took_over_is_not_given_back() {
        UUID id = heldIn(State.CLAIMED);
        database.jdbi().useHandle(handle -> ApprovalRepository.in(handle).giveBack(List.of(id), ME));

        assertThat(stateOf(id)).isEqualTo(State.CLAIMED);
    }

    private boolean attempt(String transition, UUID id) {
        return database.jdbi().withHandle(handle -> {
            ApprovalRepository approvals = ApprovalRepository.in(handle);
            switch (transition) {
                case "claim" -> {
                    return approvals.claim(id, ME);
                }
                case "take over answered" -> {
                    return !approvals
                            .takeOverAnswered(ME, 10, OtherInstances.KNOWN)
                            .isEmpty();
                }
                case "take over claimed" -> {
                    return !approvals.takeOverClaimed(ME, 10).isEmpty();
                }
                case "withdraw" -> approvals.withdraw(List.of(id), ME);
                case "give back" -> {
                    handle.execute(
                            "UPDATE approvals SET claimed_by = ? WHERE approval_id = ? AND ended_at IS NULL", ME, id);
                    approvals.giveBack(List.of(id), ME);
                }
                case "leave" -> approvals.leave(List.of(id), ME);
                case "expire" -> approvals.expire();
                case "withdraw abandoned" -> approvals.withdrawAbandoned(ME, OtherInstances.KNOWN);
                case "end" -> approvals.end(List.of(id));
                case "end recorded" -> {
                    handle.execute(
                            "INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, completed_at)"
                                    + " VALUES ('default', 'agent', 'r1', '\\x00', now())");
                    approvals.endRecorded();
                }
                default -> throw new IllegalArgumentException(transition);
            }
            return true;
        });
    }

    /** The only request: it has expired, and its caller is gone with its instance. */
    private UUID heldIn(State state) {
        sql("DELETE FROM approvals");
        sql("DELETE FROM request_keys");
        return database.jdbi().withHandle(handle -> handle.createQuery("""
                        INSERT INTO approvals (tenant_id, request_id, agent_id, tool_name, arguments, arguments_digest, reason,
                            expires_at, waiter, claimed_by, ends_with_waiter, verdict, answered_at, claimed_at, ended_at)
                        SELECT 'default', 'r1', 'agent', 'write', '{}', '\\x00', 'why', now() - interval '1 minute',
                            gen_random_uuid(), gen_random_uuid(), true, %s
                        RETURNING approval_id""".formatted(state.columns))
                .mapTo(UUID.class)
                .one());
    }

    private State stateOf(UUID id) {
        return State.valueOf(one("""
                SELECT CASE WHEN ended_at IS NOT NULL THEN 'ENDED' WHEN claimed_at IS NOT NULL THEN 'CLAIMED'
                    WHEN verdict IS NULL THEN 'OPEN' WHEN verdict = 'APPROVED' THEN 'APPROVED' ELSE 'REFUSED' END
                FROM approvals WHERE approval_id = '%s'""".formatted(id)));
    }

    private String row(UUID id) {
        return one("SELECT approvals::text FROM approvals WHERE approval_id = '" + id + "'");
    }

    private String one(String query) {
        return database.jdbi()
                .withHandle(
                        handle -> handle.createQuery(query).mapTo(String.class).one());
    }

    private void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }
}
