package dev.toolgate.integrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.Approval;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.integrations.Framework.Offer;
import dev.toolgate.langchain4j.ToolgateTools;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real frameworks with a scripted model and a whole server: what the model is told, what runs, what is on record. */
@ExtendWith(SharedGate.class)
@Timeout(300)
class FrameworksTest {
    private static Toolgate admin;

    private final Deployments own = new Deployments();

    @BeforeAll
    static void register() {
        admin = SharedGate.admin();
        for (ExternalTool tool : ToolgateTools.definitions(new Deployments())) {
            admin.externalTools().register(tool);
        }
    }

    /** An agent of one test and framework. */
    private static String agent(Framework framework, String test) {
        return framework.name().toLowerCase(Locale.ROOT) + "_" + test;
    }

    /** One that may deploy on these terms. */
    private static String agent(Framework framework, String test, Grant grant) {
        String name = agent(framework, test);
        admin.permissions().allow(name, "deploy", grant);
        return name;
    }

    private static GatedTools gate(String agent) {
        return GatedTools.of(SharedGate.client(agent).build());
    }

    /** A client that comes through a faulty gate, and tries once. */
    private static GatedTools gate(String agent, FaultyGate faulty) {
        return GatedTools.of(
                SharedGate.client(agent).url(faulty.url()).maxRetries(0).build());
    }

    private static Approval asked(String agent) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> admin.approvals().pending().anyMatch(approval -> approval.agentId()
                        .equals(agent)));
        return admin.approvals()
                .pending()
                .filter(approval -> approval.agentId().equals(agent))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void an_allowed_call_runs_and_is_on_record(Framework framework) {
        String agent = agent(framework, "allowed", Grant.allowed());

        List<String> told = framework.told(gate(agent), own, WantedCall.deploy("call_1", "staging"));

        assertThat(own.hosts()).containsExactly("staging");
        assertThat(told).singleElement().asString().contains("Deployed to staging");
        AuditRecord record = SharedGate.records(agent, 1).getFirst();
        assertThat(record.status()).isEqualTo("COMPLETED");
        assertThat(record.executedBy()).isEqualTo("client");
        assertThat(record.toolCallId()).isEqualTo("call_1");
        assertThat(record.client()).isEqualTo(framework.source());
        assertThat(record.parameters()).containsEntry("host", "staging");
        assertThat(SharedGate.client(agent)
                        .build()
                        .collect(record.requestId())
                        .orThrow()
                        .data())
                .as("the recorded output is what the model saw")
                .isEqualTo(told.getFirst());
    }

    @ParameterizedTest
    @EnumSource
    void a_denied_call_tells_the_model_why_and_what_to_do(Framework framework) {
        String agent = agent(framework, "stranger");
        admin.permissions().allow(agent, "file_list");

        List<String> told = framework.told(gate(agent), own, WantedCall.deploy("call_1", "staging"));

        assertThat(own.hosts()).isEmpty();
        AuditRecord record = SharedGate.records(agent, 1).getFirst();
        assertThat(record.status()).isEqualTo("REFUSED");
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("'deploy' was not run.")
                .contains(record.denialReason())
                .contains("ask an operator to grant 'deploy'")
                .contains("Allowed tools: file_list.");
    }

    @ParameterizedTest
    @EnumSource
    void an_approved_call_runs_once(Framework framework) {
        String agent = agent(framework, "careful", Grant.allowed().withApproval());
        GatedTools gate = gate(agent);

        CompletableFuture<List<String>> told = CompletableFuture.supplyAsync(
                () -> framework.told(gate, own, WantedCall.deploy("call_1", "production")));
        Approval asked = asked(agent);
        assertThat(own.hosts()).as("before it is approved").isEmpty();
        admin.approvals().approve(asked.approvalId(), "checked");

        assertThat(told.join()).singleElement().asString().contains("Deployed to production");
        assertThat(own.hosts()).containsExactly("production");
        AuditRecord record = SharedGate.records(agent, 1).getFirst();
        assertThat(record.status()).isEqualTo("COMPLETED");
        assertThat(record.approvedBy()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_a_person_refuses_does_not_run(Framework framework) {
        String agent = agent(framework, "refused", Grant.allowed().withApproval());
        GatedTools gate = gate(agent);

        CompletableFuture<List<String>> told = CompletableFuture.supplyAsync(
                () -> framework.told(gate, own, WantedCall.deploy("call_1", "production")));
        admin.approvals().deny(asked(agent).approvalId(), "not on a Friday");

        assertThat(told.join()).singleElement().asString().startsWith("'deploy' was not run.");
        assertThat(own.hosts()).isEmpty();
        assertThat(SharedGate.records(agent, 1).getFirst().status()).isEqualTo("REFUSED");
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_nobody_answers_in_time_does_not_run(Framework framework) {
        String agent = agent(framework, "unanswered", Grant.allowed().withApproval());
        GatedTools gate = gate(agent).waiting(Duration.ofMillis(100));

        List<String> told = framework.told(gate, own, WantedCall.deploy("call_1", "production"));
        admin.approvals().approve(asked(agent).approvalId(), "too late for the model");

        assertThat(told).containsExactly("'deploy' was not run. Nobody has approved the call.");
        assertThat(own.hosts()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_that_fails_is_on_record_as_failed(Framework framework) {
        String agent = agent(framework, "unlucky", Grant.allowed());

        List<String> told = framework.told(gate(agent), own, WantedCall.deploy("call_1", "broken"));

        assertThat(told).singleElement().asString().contains("no route to host");
        assertThat(own.hosts()).containsExactly("broken");
        AuditRecord record = SharedGate.records(agent, 1).getFirst();
        assertThat(record.status()).isEqualTo("FAILED");
        assertThat(record.resultSummary()).contains("no route to host");
    }

    @ParameterizedTest
    @EnumSource
    void without_a_gate_nothing_runs(Framework framework) throws IOException {
        String agent = agent(framework, "alone", Grant.allowed());
        FaultyGate gone = FaultyGate.answering("/authorize", 500, "text/plain", "");
        gone.close();

        List<String> told = framework.told(gate(agent, gone), own, WantedCall.deploy("call_1", "staging"));

        assertThat(told).containsExactly("'deploy' was not run. The gate gave no answer.");
        assertThat(own.hosts()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void an_answer_that_is_no_permit_for_the_call_runs_nothing(Framework framework) throws IOException {
        String agent = agent(framework, "misled", Grant.allowed());
        String permit = """
            {"status": "allowed", "outcome": "authorized", "request_id": "another-call", "logged": true,
             "permit_expires_at": "2099-01-01T00:00:00Z", "parameters": {"host": "staging"}}\
            """;
        String error = """
            {"error": {"code": "INTERNAL_ERROR", "message": "Failed", "remediation": "", "retryable": true}}\
            """;
        for (FaultyGate faulty : List.of(
                FaultyGate.answering("/authorize", 500, "text/html", "<h1>Internal Server Error</h1>"),
                FaultyGate.answering("/authorize", 500, "application/json", error),
                FaultyGate.answering("/authorize", 500, "application/json", permit),
                FaultyGate.answering("/authorize", 200, "application/json", permit),
                FaultyGate.answering("/authorize", 200, "application/json", "{\"status\": \"allowed\"}"),
                FaultyGate.answering("/authorize", 204, "application/json", ""),
                FaultyGate.answering("/authorize", 200, "text/html", "<h1>Welcome</h1>"))) {
            try (faulty) {
                assertThat(framework.told(gate(agent, faulty), own, WantedCall.deploy("call_1", "staging")))
                        .singleElement()
                        .asString()
                        .startsWith("'deploy' was not run.");
            }
        }
        assertThat(own.hosts()).isEmpty();
        assertThat(SharedGate.records(agent, 0)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_permit_that_comes_too_late_is_not_used(Framework framework) throws IOException {
        String agent = agent(framework, "impatient", Grant.allowed());
        try (FaultyGate slow = FaultyGate.keepingAnswers("/authorize")) {
            Toolgate impatient = SharedGate.client(agent)
                    .url(slow.url())
                    .maxRetries(0)
                    .timeout(Duration.ofSeconds(2))
                    .build();
            GatedTools gate = GatedTools.of(impatient).expiringIn(Duration.ofSeconds(1));

            List<String> told = framework.told(gate, own, WantedCall.deploy("call_1", "staging"));

            assertThat(told).containsExactly("'deploy' was not run. The gate gave no answer.");
        }
        assertThat(SharedGate.records(agent, 1).getFirst().status()).isEqualTo("INTERRUPTED");
        assertThat(own.hosts()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void an_outcome_that_is_not_recorded_is_not_shown(Framework framework) throws IOException {
        String agent = agent(framework, "unheard", Grant.allowed());
        try (FaultyGate faulty = FaultyGate.answering("/outcome", 500, "text/plain", "no")) {
            GatedTools gate = gate(agent, faulty).expiringIn(Duration.ofSeconds(1));

            List<String> told = framework.told(gate, own, WantedCall.deploy("call_1", "staging"));

            assertThat(told)
                    .singleElement()
                    .asString()
                    .startsWith("'deploy' has run, but its outcome could not be recorded")
                    .doesNotContain("Deployed");
        }
        assertThat(own.hosts()).containsExactly("staging");
        assertThat(SharedGate.records(agent, 1).getFirst().status()).isEqualTo("INTERRUPTED");
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_runs_with_the_arguments_that_were_permitted(Framework framework) throws IOException {
        String agent = agent(framework, "restricted", Grant.allowed());
        try (FaultyGate gate = FaultyGate.changing("/authorize", body -> body.replace("production", "staging"))) {
            framework.told(gate(agent, gate), own, WantedCall.deploy("call_1", "production"));
        }
        assertThat(own.hosts()).containsExactly("staging");
    }

    @ParameterizedTest
    @EnumSource
    void arguments_that_can_be_read_in_two_ways_are_refused(Framework framework) {
        String agent = agent(framework, "ambiguous", Grant.allowed());
        WantedCall twice = new WantedCall("call_1", "deploy", "{\"host\":\"staging\",\"host\":\"production\"}");
        WantedCall more = new WantedCall("call_2", "deploy", "{\"host\":\"staging\"} {\"host\":\"production\"}");

        List<String> told = framework.told(gate(agent), own, twice, more);

        assertThat(told).hasSize(2).allMatch(text -> text.startsWith("'deploy' was not run. The arguments"));
        assertThat(own.hosts()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void calls_made_at_once_have_a_permit_each(Framework framework) {
        String agent = agent(framework, "busy", Grant.allowed());

        List<String> told = framework.told(
                gate(agent),
                own,
                WantedCall.deploy("call_1", "one"),
                WantedCall.deploy("call_2", "two"),
                WantedCall.deploy("call_3", "two"),
                WantedCall.deploy("call_4", "broken"));

        assertThat(told).hasSize(4);
        assertThat(told.get(0)).contains("Deployed to one");
        assertThat(told.get(2)).contains("Deployed to two");
        assertThat(told.get(3)).contains("no route to host");
        assertThat(own.hosts()).containsExactlyInAnyOrder("one", "two", "two", "broken");
        List<AuditRecord> records = SharedGate.records(agent, 4);
        assertThat(records).extracting(AuditRecord::requestId).doesNotHaveDuplicates();
        assertThat(records)
                .extracting(
                        AuditRecord::toolCallId, record -> record.parameters().get("host"), AuditRecord::status)
                .containsExactlyInAnyOrder(
                        tuple("call_1", "one", "COMPLETED"),
                        tuple("call_2", "two", "COMPLETED"),
                        tuple("call_3", "two", "COMPLETED"),
                        tuple("call_4", "broken", "FAILED"));
    }

    @ParameterizedTest
    @EnumSource
    void every_attempt_of_a_retried_call_has_a_permit_of_its_own(Framework framework) {
        String agent = agent(framework, "persistent", Grant.allowed());

        List<String> told = framework.toldWithRetries(gate(agent), own, WantedCall.deploy("call_1", "flaky"));

        assertThat(told).singleElement().asString().contains("Deployed to flaky");
        assertThat(own.hosts()).hasSize(3);
        List<AuditRecord> records = SharedGate.records(agent, 3);
        assertThat(records).extracting(AuditRecord::status).containsExactly("FAILED", "FAILED", "COMPLETED");
        assertThat(records).extracting(AuditRecord::requestId).doesNotHaveDuplicates();
        assertThat(records).extracting(AuditRecord::toolCallId).containsOnly("call_1");
    }

    @ParameterizedTest
    @EnumSource
    void a_conversation_that_is_cancelled_while_it_waits_runs_nothing(Framework framework) throws Exception {
        String agent = agent(framework, "cancelled", Grant.allowed().withApproval());
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread conversation =
                conversation(framework, gate(agent), WantedCall.deploy("call_1", "production"), stillInterrupted);
        Approval asked = asked(agent);

        conversation.interrupt();
        conversation.join();
        admin.approvals().approve(asked.approvalId(), "nobody waits any more");

        assertThat(own.hosts()).isEmpty();
        assertThat(stillInterrupted).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_that_is_cancelled_is_on_record(Framework framework) throws Exception {
        String agent = agent(framework, "stopped", Grant.allowed());
        Thread conversation =
                conversation(framework, gate(agent), WantedCall.deploy("call_1", "hanging"), new AtomicBoolean());
        own.awaitHanging();

        conversation.interrupt();
        conversation.join();

        assertThat(own.hosts()).containsExactly("hanging");
        AuditRecord record = SharedGate.records(agent, 1).getFirst();
        assertThat(record.status()).isEqualTo("FAILED");
        assertThat(record.resultSummary()).contains("InterruptedException");
    }

    private Thread conversation(
            Framework framework, GatedTools gate, WantedCall call, AtomicBoolean interruptedAtItsEnd) {
        return Thread.ofPlatform().start(() -> {
            try {
                framework.told(gate, own, call);
            } catch (RuntimeException cancelled) {
                // How it ends depends on the framework; the tests check what ran.
            } finally {
                interruptedAtItsEnd.set(Thread.currentThread().isInterrupted());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void tools_of_the_gate_are_offered_and_run_there(Framework framework) {
        String agent = agent(framework, "reader", Grant.allowed());
        admin.permissions().allow(agent, "file_list");

        Offer offer = framework.offered(
                gate(agent),
                new WantedCall("call_1", "file_list", "{\"path\":\".\"}"),
                new WantedCall("call_2", "file_list", "{\"path\":\"no-such-folder\"}"));

        assertThat(offer.names())
                .as("only what the agent may use and the gate runs")
                .containsExactly("file_list");
        assertThat(offer.told()).hasSize(2);
        assertThat(offer.told().get(1)).startsWith("'file_list' failed.");
        List<AuditRecord> records = SharedGate.records(agent, 2);
        assertThat(records).extracting(AuditRecord::status).containsExactlyInAnyOrder("COMPLETED", "FAILED");
        assertThat(records).extracting(AuditRecord::executedBy).containsOnly("gate");
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_of_the_gate_that_is_used_up_is_denied(Framework framework) {
        String agent = agent(framework, "former");
        admin.permissions().allow(agent, "file_list", Grant.allowed().forCalls(1));
        WantedCall list = new WantedCall("call_1", "file_list", "{\"path\":\".\"}");

        Offer offer = framework.offered(gate(agent), list, new WantedCall("call_2", "file_list", "{\"path\":\"./\"}"));

        assertThat(offer.told())
                .filteredOn(text -> text.startsWith("'file_list' was not run."))
                .hasSize(1);
        assertThat(SharedGate.records(agent, 2))
                .extracting(AuditRecord::status)
                .containsExactlyInAnyOrder("COMPLETED", "REFUSED");
    }
}
