package dev.toolgate.server.gate;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.server.operate.log.LogScope;
import dev.toolgate.store.heldcall.HeldCallResumer;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resumes held calls, each on its own thread, up to a maximum. */
public final class HeldCallRunner implements HeldCallResumer {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCallRunner.class);
    private static final int MAX_AT_ONCE = 128;

    private final Gate gate;
    private final Semaphore permits = new Semaphore(MAX_AT_ONCE);

    public HeldCallRunner(Gate gate) {
        this.gate = gate;
    }

    @Override
    public int capacity() {
        return permits.availablePermits();
    }

    @Override
    public void resume(Call call, HeldQuestion question, Approvals.Answer answer) {
        begin(call, () -> gate.resume(call, question, answer));
    }

    @Override
    public void interrupted(Call call, HeldQuestion question) {
        begin(call, () -> {
            LOG.warn("Call {} was interrupted: the server that ran it is gone", call.requestId());
            return gate.interrupted(call, question);
        });
    }

    private void begin(Call call, Supplier<Answer> work) {
        permits.acquireUninterruptibly();
        Thread.ofVirtual().name("toolgate-held-call").start(() -> {
            try (LogScope _ = LogScope.of(call)) {
                Answer answer = work.get();
                LOG.info(
                        "Held call {} of tool '{}' {}",
                        call.requestId(),
                        call.toolName(),
                        answer.logged() ? "has ended" : "has not ended yet");
            } finally {
                permits.release();
            }
        });
    }
}
