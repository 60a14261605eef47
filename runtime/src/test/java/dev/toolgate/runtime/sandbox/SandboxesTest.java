package dev.toolgate.runtime.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxFactory;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxesTest {
    private final List<String> closed = new ArrayList<>();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Linux    | CONFINED | works  | works  | bubblewrap | CONFINED
            Linux    | DEGRADED | works  | works  | bubblewrap | CONFINED
            Linux    | CONFINED | fails  | works  | none       | UNAVAILABLE
            Linux    | CONFINED | absent | works  | none       | UNAVAILABLE
            Linux    | CONFINED | breaks | works  | none       | UNAVAILABLE
            Linux    | DEGRADED | fails  | works  | weaker     | DEGRADED
            Linux    | DEGRADED | absent | works  | weaker     | DEGRADED
            Linux    | DEGRADED | breaks | works  | weaker     | DEGRADED
            Linux    | DEGRADED | fails  | fails  | none       | UNAVAILABLE
            Linux    | DEGRADED | absent | breaks | none       | UNAVAILABLE
            Mac OS X | CONFINED | works  | works  | seatbelt   | CONFINED
            Mac OS X | DEGRADED | works  | works  | seatbelt   | CONFINED
            Mac OS X | CONFINED | fails  | works  | none       | UNAVAILABLE
            Mac OS X | DEGRADED | fails  | works  | none       | UNAVAILABLE
            Windows  | CONFINED | works  | works  | none       | UNAVAILABLE
            Windows  | DEGRADED | works  | works  | job        | DEGRADED
            Windows  | DEGRADED | works  | fails  | none       | UNAVAILABLE
            """)
    void selects_the_strongest_working_sandbox_or_refuses(
            String os, SandboxMode mode, String best, String weaker, String how, Confinement.Level level) {
        Sandboxes sandboxes = new Sandboxes(
                opening(best, "bubblewrap", Confinement.Level.CONFINED),
                opening(weaker, "weaker", Confinement.Level.DEGRADED),
                opening(best, "seatbelt", Confinement.Level.CONFINED),
                opening(weaker, "job", Confinement.Level.DEGRADED));
        CommandSandbox chosen = sandboxes.choose(Platform.of(os, Path.of("/home/me"), Map.of()), mode);
        assertThat(chosen.confinement().mechanism()).isEqualTo(how);
        assertThat(chosen.confinement().level()).isEqualTo(level);
        if (level == Confinement.Level.UNAVAILABLE) {
            assertThatThrownBy(() -> chosen.start(
                            CommandRequest.inWholeWorkspace("true", Path.of("/"), Path.of("/"), Map.of(), List.of())))
                    .isInstanceOfSatisfying(
                            ToolFailure.class,
                            failure -> assertThat(failure.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED))
                    .hasMessageContaining(chosen.confinement().detail());
        }
    }

    @Test
    void says_why_it_refuses_and_what_to_do() {
        CommandSandbox chosen = Sandboxes.choose(
                Platform.of("Linux", Path.of("/home/me"), Map.of()),
                SandboxMode.CONFINED,
                () -> {
                    throw new IOException("bubblewrap is not installed; run: apt-get install bubblewrap");
                },
                _ -> {
                    throw new AssertionError("no account should be requested");
                });
        assertThat(chosen.confinement().detail())
                .contains("apt-get install bubblewrap")
                .contains("sandbox.mode: degraded");
    }

    @Test
    void closes_a_sandbox_that_does_not_confine() {
        SandboxFactory useless = opening("absent", "bubblewrap", Confinement.Level.CONFINED);
        new Sandboxes(useless, useless, useless, useless)
                .choose(Platform.of("Linux", Path.of("/home/me"), Map.of()), SandboxMode.CONFINED);
        assertThat(closed).containsExactly("bubblewrap");
    }

    @Test
    void keeps_the_interrupt_flag_of_the_opening_thread() {
        SandboxFactory interrupted = () -> {
            throw new InterruptedException();
        };
        CommandSandbox chosen = new Sandboxes(interrupted, interrupted, interrupted, interrupted)
                .choose(Platform.of("Mac OS X", Path.of("/Users/me"), Map.of()), SandboxMode.DEGRADED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(chosen.confinement().level()).isEqualTo(Confinement.Level.UNAVAILABLE);
    }

    private SandboxFactory opening(String behaviour, String how, Confinement.Level level) {
        return switch (behaviour) {
            case "works" -> () -> new Named(new Confinement(level, how, "fine"));
            case "absent" -> () -> new Named(new Confinement(Confinement.Level.UNAVAILABLE, how, "not here"));
            case "fails" ->
                () -> {
                    throw new IOException("it failed");
                };
            case "breaks" ->
                () -> {
                    throw new UnsatisfiedLinkError("it broke");
                };
            default -> throw new IllegalArgumentException(behaviour);
        };
    }

    private final class Named implements CommandSandbox {
        private final Confinement confinement;

        Named(Confinement confinement) {
            this.confinement = confinement;
        }

        @Override
        public RunningCommand start(CommandRequest request) {
            throw new AssertionError("must not be started");
        }

        @Override
        public Confinement confinement() {
            return confinement;
        }

        @Override
        public void close() {
            closed.add(confinement.mechanism());
        }
    }
}
