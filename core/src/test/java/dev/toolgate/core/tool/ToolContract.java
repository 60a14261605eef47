package dev.toolgate.core.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.ArgumentCheck;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Contract of tools. Subclasses provide what is specific to their tool. */
public abstract class ToolContract {
    /** So short that a tool is stopped while it still prepares its work, and so long that it works. */
    private static final long[] LIMITS = {1, 5, 20, 60, 400};

    private static final int TIMEOUT_SECONDS = 30;

    /**
     * An expected failure of the tool.
     *
     * @param name of the test case
     * @param tool set up so that it fails
     * @param words that the message must contain
     */
    protected record Trouble(String name, Tool<?> tool, Map<String, ?> arguments, ErrorCode code, List<String> words) {
        public Trouble(String name, Tool<?> tool, Map<String, ?> arguments, ErrorCode code, String... words) {
            this(name, tool, arguments, code, List.of(words));
        }
    }

    /** The tool, ready to use. */
    protected abstract Tool<?> tool() throws Exception;

    /** Arguments of a call that succeeds. */
    protected abstract Map<String, ?> good() throws Exception;

    /** All expected failures, including missing configuration. */
    protected abstract List<Trouble> troubles() throws Exception;

    /** Arguments with which {@link #tool()} does not end by itself; empty for a tool that never waits. */
    protected abstract Optional<Map<String, ?>> endless() throws Exception;

    /** Waits until the endless call has started its work. */
    protected void awaitBegun(ToolTrial trial) throws Exception {
        trial.awaitStart(Duration.ofSeconds(TIMEOUT_SECONDS));
    }

    /** The caller. */
    protected Caller caller() {
        return Caller.local();
    }

    /** A redactor that knows the tool's secrets, as on a server. */
    protected Redactor redactor() {
        return Redactor.standard();
    }

    /** Texts that must not appear in results, errors or audit records. */
    protected List<String> secrets() {
        return List.of();
    }

    private ToolTrial trial(Tool<?> tool) {
        return new ToolTrial(tool, caller(), redactor());
    }

    @Test
    void succeeds_with_a_valid_result_and_is_recorded() throws Exception {
        ToolTrial trial = trial(tool()).granted();
        Answer answer = trial.call(good());
        assertThat(answer.asOutcome()).isInstanceOf(Outcome.Completed.class);
        Output output = ((Outcome.Completed) answer.asOutcome()).output();
        tool().spec().resultSchema().ifPresent(schema -> assertThat(
                        new ArgumentCheck(schema).validate(Json.MAPPER.valueToTree(output.structured())))
                .isEmpty());
        assertThat(trial.audit().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.tool()).isEqualTo(tool().spec().name());
            assertThat(entry.status()).isEqualTo(AuditLog.Status.COMPLETED);
        });
        keepsSecrets(trial, answer);
    }

    @Test
    void external_effects_have_a_recorded_intent() throws Exception {
        boolean goesOutside =
                switch (tool().spec().category()) {
                    case NETWORK, SEARCH, GITHUB, REMOTE, MCP, EXTERNAL -> true;
                    case FILE, EXEC, MEMORY, DATA -> tool().spec().effect().needsIntent();
                };
        ToolTrial trial = trial(tool()).granted();
        trial.call(good());

        assertThat(trial.audit().intents()).hasSize(goesOutside ? 1 : 0);
    }

    @TestFactory
    Stream<DynamicTest> fails_with_an_actionable_message() throws Exception {
        return troubles().stream()
                .map(trouble -> DynamicTest.dynamicTest(trouble.name(), () -> {
                    ToolTrial trial = trial(trouble.tool()).granted();
                    Answer answer = trial.call(trouble.arguments());
                    Failure failure = failure(answer);
                    assertThat(failure.code()).as(failure.message()).isEqualTo(trouble.code());
                    assertThat(failure.message()).isNotBlank().doesNotContain("Exception", "\tat ");
                    assertThat(trouble.words()).allMatch(failure.message()::contains, failure.message());
                    assertThat(trial.audit().entries())
                            .singleElement()
                            .extracting(AuditLog.Entry::error)
                            .isEqualTo(trouble.code());
                    keepsSecrets(trial, answer);
                }));
    }

    @TestFactory
    Stream<DynamicTest> names_an_invalid_argument_and_does_not_start() throws Exception {
        ArgumentType<?> type = tool().spec().arguments();
        Map<String, ?> good = good();
        Stream<String> required = type.schema().path("required").valueStream().map(name -> name.stringValue());
        Stream<DynamicTest> missing = required.map(name -> refused("without " + name, name, without(good, name)));
        Stream<DynamicTest> mistyped = type.schema().path("properties").propertyNames().stream()
                .filter(name -> acceptsNoList(type, name))
                .map(name -> refused("a list of lists for " + name, name, with(good, name, List.of(List.of(1)))));
        return Stream.of(
                        missing,
                        mistyped,
                        Stream.of(refused("an unknown argument", "surprise", with(good, "surprise", 1))))
                .flatMap(tests -> tests);
    }

    private static boolean acceptsNoList(ArgumentType<?> type, String name) {
        var property = type.schema().path("properties").path(name);
        return property.has("type") && !property.path("type").toString().contains("object");
    }

    private DynamicTest refused(String name, String field, Map<String, ?> arguments) {
        return DynamicTest.dynamicTest(name, () -> {
            ToolTrial trial = trial(tool()).granted();
            Failure failure = failure(trial.call(arguments));
            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(failure.message()).contains(field);
            assertThat(trial.starts()).isZero();
        });
    }

    @Test
    void is_not_called_without_a_grant() throws Exception {
        ToolTrial trial = trial(tool());
        assertThat(failure(trial.call(good())).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(trial.starts()).isZero();
    }

    @Test
    void is_not_called_in_a_session_without_its_capability() throws Exception {
        ToolTrial trial = trial(tool()).granted();
        Failure failure = failure(trial.callInSession(good(), CapabilityGrant.named("Something.Else")));
        assertThat(failure.code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(failure.message()).contains(tool().spec().capability());
        assertThat(trial.starts()).isZero();
    }

    @Test
    void works_in_a_session_with_its_capability() throws Exception {
        Answer answer = trial(tool())
                .granted()
                .callInSession(
                        good(),
                        CapabilityGrant.named(tool().spec().capability())
                                .forTools(List.of(tool().spec().name())));
        assertThat(answer.asOutcome()).isInstanceOf(Outcome.Completed.class);
    }

    @Test
    void is_not_called_after_cancellation() throws Exception {
        ToolTrial trial = trial(tool()).granted();
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();
        assertThat(failure(trial.call(good(), cancellation)).message()).contains("cancelled");
        assertThat(trial.starts()).isZero();
    }

    @TestFactory
    Stream<DynamicTest> can_be_stopped_when_it_waits() throws Exception {
        return endless().stream()
                .flatMap(arguments -> Stream.of(
                        DynamicTest.dynamicTest("when its time is up", () -> endsWhenItsTimeIsUp(arguments)),
                        DynamicTest.dynamicTest("when it is cancelled", () -> endsWhenItIsCancelled(arguments))));
    }

    private void endsWhenItsTimeIsUp(Map<String, ?> endless) throws Exception {
        ToolTrial trial = trial(tool()).granted();
        for (long millis : LIMITS) {
            Answer answer = inTime(() -> trial.call(endless, Duration.ofMillis(millis)));
            assertThat(failure(answer).code())
                    .as("%s ms: %s", millis, failure(answer).message())
                    .isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
            keepsSecrets(trial, answer);
        }
    }

    private void endsWhenItIsCancelled(Map<String, ?> endless) throws Exception {
        ToolTrial trial = trial(tool()).granted();
        Cancellation cancellation = new Cancellation();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> running = callers.submit(() -> trial.call(endless, cancellation));
            awaitBegun(trial);
            cancellation.cancel();
            Failure failure = failure(running.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
            assertThat(failure.message()).contains("cancelled");
            keepsSecrets(trial, running.get());
        }
    }

    private interface Calling {
        Answer call() throws Exception;
    }

    private static Answer inTime(Calling calling) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            return callers.submit(calling::call).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void keepsSecrets(ToolTrial trial, Answer answer) {
        String shown = OutcomeJson.write(answer.asOutcome());
        String recorded = trial.audit().entries().toString();
        for (String secret : secrets()) {
            assertThat(shown).doesNotContain(secret);
            assertThat(recorded).doesNotContain(secret);
        }
    }

    private static Failure failure(Answer answer) {
        return switch (answer.asOutcome()) {
            case Outcome.Completed completed ->
                throw new AssertionError("It succeeded: " + completed.output().text());
            case Outcome.Failed failed -> failed.failure();
            case Outcome.Refused refused -> refused.failure();
        };
    }

    private static Map<String, Object> with(Map<String, ?> arguments, String name, @Nullable Object value) {
        Map<String, Object> other = new HashMap<>(arguments);
        other.put(name, value);
        return other;
    }

    private static Map<String, Object> without(Map<String, ?> arguments, String name) {
        Map<String, Object> other = new HashMap<>(arguments);
        other.remove(name);
        return other;
    }
}
