package dev.toolgate.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.artifact.NewArtifact;
import dev.toolgate.core.artifact.StoredArtifact;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.ApprovalRule;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.LlmPolicy;
import dev.toolgate.core.policy.McpServer;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.policy.Session;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything written as JSON is read back completely, including components added later. */
class JsonRoundTripTest {

    /** By design, the origin of the id, the listener and the cancellation are not stored. */
    private static final Set<String> NOT_KEPT_OF_A_CALL = Set.of("idOrigin", "listener", "cancellation");

    private static FilledRecords filling() {
        return new FilledRecords()
                .with(CallListener.class, () -> CallListener.NONE)
                .with(Cancellation.class, Cancellation::new)
                .with(Content.class, () -> Content.inStore(77))
                .with(Object.class, () -> Json.MAPPER.createObjectNode().put("text", "structured"));
    }

    @Test
    void a_call_is_read_back_whole() {
        Call call = filling().fill(Call.class);

        Call read = CallJson.read(CallJson.write(call));

        assertThat(FilledRecords.differences(call, read)).isSubsetOf(NOT_KEPT_OF_A_CALL);
        assertThat(FilledRecords.differences(call.caller(), read.caller())).isEmpty();
        assertThat(FilledRecords.differences(call.bounds(), read.bounds())).isEmpty();
        assertThat(FilledRecords.differences(call.context(), read.context())).isEmpty();
        assertThat(call.scope()).isNotNull().isEqualTo(read.scope());
    }

    static Stream<Outcome> outcomes() {
        return Stream.of(
                filling().fill(Outcome.Completed.class),
                filling().fill(Outcome.Failed.class),
                filling().fill(Outcome.Refused.class));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void an_outcome_is_read_back_whole(Outcome outcome) {
        assertThat(OutcomeJson.read(OutcomeJson.write(outcome))).isEqualTo(outcome);
    }

    @Test
    void a_policy_bundle_is_read_back_whole() {
        PolicyBundle bundle = filling().fill(PolicyBundle.class);

        PolicyBundle read = PolicyBundleJson.read(PolicyBundleJson.write(bundle));

        assertThat(FilledRecords.differences(bundle, read)).isEmpty();
        assertThat(read).isEqualTo(bundle);
    }

    static Stream<Record> copied() {
        FilledRecords filling = filling();
        return Stream.of(
                filling.fill(Call.class),
                filling.fill(Caller.class),
                filling.fill(CallContext.class),
                filling.fill(Failure.class),
                filling.fill(Output.class),
                filling.fill(Artifact.class),
                filling.fill(CapabilityGrant.class));
    }

    @ParameterizedTest
    @MethodSource("copied")
    void a_changed_copy_of_a_record_loses_nothing_else(Record record) {
        assertThat(filling().lossesOfCopies(record, Set.of()))
                .filteredOn(loss -> !loss.equals("as: idOrigin")) // setting the id changes its origin
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Call.class,
                CallContext.class,
                Bounds.class,
                Failure.class,
                Output.class,
                Artifact.class,
                Session.class,
                PolicyBundle.class,
                CapabilityGrant.class,
                LlmPolicy.class,
                ApprovalRule.class,
                McpServer.class,
                Grants.Grant.class,
                NewArtifact.class,
                StoredArtifact.class
            })
    void stored_records_have_no_constructor_that_omits_components(Class<?> type) {
        assertThat(type.getDeclaredConstructors()).hasSize(1);
    }

    @Test
    void combined_limits_keep_every_kind_of_limit() {
        Bounds full = filling().fill(Bounds.class);

        assertThat(full.and(Bounds.none())).isEqualTo(full);
        assertThat(Bounds.none().and(full)).isEqualTo(full);
        assertThat(FilledRecords.differences(full, full.and(full)))
                .as("blocked lists are concatenated")
                .isSubsetOf(List.of("blockedPaths", "blockedCommands"));
        assertThat(FilledRecords.differences(Bounds.none(), full)).hasSize(Bounds.class.getRecordComponents().length);
    }
}
