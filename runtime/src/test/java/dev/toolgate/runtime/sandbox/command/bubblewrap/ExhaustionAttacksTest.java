package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxFixture.Result;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Resource exhaustion. The attacks are bounded, so that they do no harm if they succeed. */
class ExhaustionAttacksTest extends SandboxAttacks {

    @Test
    void cannot_start_more_processes_than_allowed() throws Exception {
        String mark = "3" + System.nanoTime();
        String attack = "perl -e '$| = 1; for (1..200) { my $p = fork; defined $p or last; $p or do { sleep 60 } }"
                + " opendir(D, \"/proc\"); print scalar grep(/^\\d+$/, readdir D);"
                + " kill 9, -$$' " + mark;

        Result confined = confined("setsid " + attack + " & wait");
        assertThat(Integer.parseInt(confined.out())).isBetween(20, 48);
        assertThat(Integer.parseInt(unconfined("setsid " + attack + " & wait").out()))
                .isGreaterThan(200);
        Waiting.until(() -> SandboxFixture.processesMarked(mark).isEmpty());
    }

    @Test
    void cannot_fork_without_end() throws Exception {
        // A fork bomb that retries for ever, run only inside; closing the sandbox ends it, and the workspace stays
        // usable.
        String mark = "bomb-" + System.nanoTime();
        String attack = "perl -e 'while (1) { fork; select(undef, undef, undef, 0.005) }' " + mark;
        try (RunningCommand bomb = sandbox.start(fixture.request(attack))) {
            Waiting.until(() -> SandboxFixture.processesMarked(mark).size() > 30);
            assertThat(SandboxFixture.processesMarked(mark).size()).isLessThanOrEqualTo(55);
            bomb.terminate(Duration.ofMillis(200));
        }
        assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
        assertThat(confined("echo well").out()).isEqualTo("well\n");
    }

    @Test
    void cannot_hold_more_memory_in_one_process_than_allowed() throws Exception {
        String attack = "perl -e '$x = \"a\" x (400 << 20); print length $x'";

        assertThat(confined(attack).out()).isEmpty();
        assertThat(unconfined(attack).out()).isEqualTo("419430400");
    }

    @Test
    void cannot_hold_more_memory_in_all_processes_than_allowed() throws Exception {
        // Each stays within the limit per process.
        String attack = "for i in 1 2 3 4; do perl -e '$n = 85 << 20; $x = \"a\" x $n; sleep 20' & done; wait";

        Result result = confined(attack);

        assertThat(result.endReason())
                .hasValueSatisfying(why -> assertThat(why).contains("more than 256 MiB of memory"));
        assertThat(result.exit()).isNotZero();
    }

    @Test
    void cannot_write_a_larger_file_than_allowed() throws Exception {
        confined("head -c 100000000 /dev/zero > big");

        assertThat(fixture.workspace.resolve("big")).hasSize(64 << 20);
    }

    @Test
    void output_is_bounded_by_the_reader() throws Exception {
        String gigabyte = "head -c 1000000000 /dev/zero";
        try (RunningCommand running = sandbox.start(fixture.request(gigabyte))) {
            assertThat(drain(running.stdout())).isEqualTo(1_000_000_000L);
            assertThat(running.waitFor(Duration.ofSeconds(20))).hasValue(0);
        }
        try (RunningCommand unread = sandbox.start(fixture.request(gigabyte))) {
            assertThat(unread.stdout().readNBytes(1 << 20)).hasSize(1 << 20);
            assertThat(unread.waitFor(Duration.ofMillis(100))).isEmpty();
            unread.terminate(Duration.ZERO);
            assertThat(unread.waitFor(Duration.ofSeconds(20))).isPresent();
        }
    }

    private static long drain(InputStream stream) throws Exception {
        byte[] buffer = new byte[1 << 16];
        long total = 0;
        for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
            total += n;
        }
        return total;
    }
}
