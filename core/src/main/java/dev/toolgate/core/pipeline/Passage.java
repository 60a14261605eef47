package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way through the gate, and what each stage has found out about it. Belongs to one thread; every part is
 * written once, by the stage it is named after. What changes on the way has a class of its own: whose the request id is
 * ({@link KeyClaim}) and how far the question of a held call has come ({@link Held}).
 */
public final class Passage {
    private final Call sent;
    private final Instant startedAt;
    private final long startedNanos = System.nanoTime();
    private final KeyClaim keyClaim = new KeyClaim();
    private @Nullable Admitted admitted;
    private @Nullable Tool<?> tool;
    private @Nullable Bound<?> bound;
    private @Nullable Failure misfit;
    private @Nullable Decided decided;
    private @Nullable Held held;
    private boolean started;

    Passage(Call sent, Instant startedAt) {
        this.sent = sent;
        this.startedAt = startedAt;
    }

    /** The session of the call, and the call in the session's workspace. */
    private record Admitted(PolicyBundle session, Call call) {}

    /** The tool a name stands for, with its arguments ready to run. */
    public record Bound<A>(Tool<A> tool, A arguments) {}

    /** What the rules say, and the limits that remain for the tool. */
    private record Decided(Decision decision, Bounds bounds) {}

    public Call call() {
        return admitted == null ? sent : admitted.call();
    }

    public Instant startedAt() {
        return startedAt;
    }

    public long startedNanos() {
        return startedNanos;
    }

    KeyClaim keyClaim() {
        return keyClaim;
    }

    /** The call works where its session does. */
    void admitted(Session session) {
        Call there = session.workspace() == null ? sent : sent.by(sent.caller().at(session.workspace()));
        admitted = once(admitted, new Admitted(session.bundle(), there));
    }

    void found(Tool<?> newTool) {
        tool = once(tool, newTool);
    }

    /** The tool is there, but not for such arguments; said only to those who may use it. */
    void unfit(Failure why) {
        misfit = once(misfit, why);
    }

    void bound(Bound<?> newBound) {
        bound = once(bound, newBound);
    }

    void decided(Decision decision, Bounds bounds) {
        decided = once(decided, new Decided(decision, bounds));
    }

    /** A person is asked; from now on the call is known by its request id, so that its outcome can be collected. */
    Held.Asked asked(HeldQuestion question, RequestKey key) {
        Held.Asked asked = Held.Asked.waiting(question);
        held = once(held, asked);
        keyClaim.keep(key);
        return asked;
    }

    /** The call was held before, and goes on with the answer that was given meanwhile. */
    void resumes(HeldQuestion question, Approvals.Answer answer) {
        held = once(held, Held.Asked.resumed(question, answer));
    }

    /** Nobody has to be asked, or nobody can be. */
    void settled(Approvals.Answer answer) {
        held = once(held, new Held.Settled(answer));
    }

    void started() {
        started = true;
    }

    /** The tool the name stands for; {@code null} if no tool has it. */
    public @Nullable Tool<?> tool() {
        return tool;
    }

    /** What is wrong with the arguments; {@code null} if nothing is. */
    public @Nullable Failure misfit() {
        return misfit;
    }

    /** Whether the tool was started. */
    public boolean hasStarted() {
        return started;
    }

    public @Nullable PolicyBundle session() {
        return admitted == null ? null : admitted.session();
    }

    public Bound<?> bound() {
        return reached(bound, "bind");
    }

    public Decision decision() {
        return reached(decided, "decide").decision();
    }

    /** The rule of the session's policy by which a person had to be asked; {@code null} if there is none. */
    @Nullable
    String approvalRuleId() {
        return decided != null && decided.decision() instanceof Decision.NeedsApproval needed
                ? needed.approvalRuleId()
                : null;
    }

    /** What a person answered; {@code null} if nobody did. */
    public Approvals.@Nullable Answer approval() {
        return held == null ? null : held.answer();
    }

    /** The question of the call; {@code null} if there is none. */
    Held.@Nullable Asked question() {
        return held instanceof Held.Asked asked ? asked : null;
    }

    /** Whether the call goes on without its caller, so that nobody waits for its outcome here. */
    boolean isResumed() {
        return held instanceof Held.Asked asked && asked.isResumed();
    }

    /** The canonical name once it is known, the name as sent until then. */
    public String toolName() {
        return tool == null ? sent.toolName() : tool.spec().name();
    }

    ToolContext context() {
        return new ToolContext(call(), decided == null ? Bounds.none() : decided.bounds());
    }

    private static <T> T once(@Nullable T before, T part) {
        if (before != null) {
            throw new IllegalStateException("A part of a passage is written once.");
        }
        return part;
    }

    private static <T> T reached(@Nullable T part, String stage) {
        if (part == null) {
            throw new IllegalStateException("The call has not passed '" + stage + "'.");
        }
        return part;
    }
}
