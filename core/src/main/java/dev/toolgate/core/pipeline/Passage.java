package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.audit.AuditLog;
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
 * A call on its way through the gate, and what each stage has found out about it. Belongs to one
 * thread; every part is written once, by the stage it is named after.
 */
public final class Passage {
    private Call call;
    private final Instant startedAt;
    private final long startedNanos = System.nanoTime();
    private @Nullable PolicyBundle session;
    private @Nullable RequestKey key;
    private @Nullable Tool<?> tool;
    private @Nullable Bound<?> bound;
    private @Nullable Failure misfit;
    private KeyState keyState = KeyState.UNCLAIMED;
    private @Nullable Runnable claim;
    private boolean started;
    private @Nullable Decision decision;
    private Bounds bounds = Bounds.none();
    private Approvals.@Nullable Answer approval;
    private @Nullable HeldQuestion question;
    private @Nullable Answer unended;
    private boolean claimed;
    private boolean resumed;

    Passage(Call call, Instant startedAt) {
        this.call = call;
        this.startedAt = startedAt;
    }

    /** Who has the request id while the call is on its way. */
    private enum KeyState {
        /** Nobody: the gate chose it, or nobody looks for repeated calls. */
        UNCLAIMED,
        /** This call, until it is over. */
        CLAIMED,
        /** This call for good, by its intent or its question. */
        HELD,
        /** The question of an equal call, which this one has not joined yet. */
        OF_EQUAL_CALL
    }

    /** The tool a name stands for, with its arguments ready to run. */
    public record Bound<A>(Tool<A> tool, A arguments) {}

    public Call call() {
        return call;
    }

    public Instant startedAt() {
        return startedAt;
    }

    public long startedNanos() {
        return startedNanos;
    }

    void known(RequestKey newKey) {
        key = newKey;
    }

    /**
     * The request id is this call's while it is on its way.
     *
     * @param release gives it up
     */
    void claims(Runnable release) {
        claim = release;
        keyState = KeyState.CLAIMED;
    }

    /** An equal call is held under the request id; this one goes on with its question, or joins it. */
    void joins() {
        keyState = question == null ? KeyState.OF_EQUAL_CALL : KeyState.HELD;
    }

    /** Gives the claim on the request id up, if there is one. */
    void release() {
        Runnable release = claim;
        claim = null;
        if (release != null) {
            release.run();
        }
    }

    // Whoever looks now finds the key with the intent or the question.
    private void takeForGood() {
        keyState = KeyState.HELD;
        release();
    }

    /** The call works where its session does. */
    void admitted(Session newSession) {
        session = newSession.bundle();
        if (newSession.workspace() != null) {
            call = call.by(call.caller().at(newSession.workspace()));
        }
    }

    void found(Tool<?> newTool) {
        tool = newTool;
    }

    /** The tool is there, but not for such arguments; said only to those who may use it. */
    void unfit(Failure why) {
        misfit = why;
    }

    void bound(Bound<?> newBound) {
        bound = newBound;
    }

    void decided(Decision newDecision, Bounds newBounds) {
        decision = newDecision;
        bounds = newBounds;
    }

    void held(Approvals.Answer answer) {
        approval = answer;
    }

    /** A person is asked; from now on the call is known by its request id, so that its outcome can be collected. */
    void asked(HeldQuestion newQuestion, RequestKey newKey) {
        question = newQuestion;
        key = newKey;
        takeForGood();
    }

    /** The call was held before, and goes on with the answer that was given meanwhile. */
    void resumes(HeldQuestion answered, Approvals.Answer answer) {
        resumed = true;
        question = answered;
        approval = answer;
    }

    /** The yes is this call's alone. */
    void claimed() {
        claimed = true;
    }

    /** The call has not ended: what its caller is told now is not its outcome, and is not put on record. */
    void leave(Answer forNow) {
        unended = forNow;
    }

    /** The intent is on record. */
    void announced() {
        takeForGood();
    }

    void started() {
        started = true;
    }

    /** The key of a call whose request id its caller chose; {@code null} where nobody looks for repeated calls. */
    public @Nullable RequestKey key() {
        return key;
    }

    /** Who has the key now that the call ends. */
    AuditLog.Claim claim() {
        return switch (keyState) {
            case UNCLAIMED, CLAIMED -> AuditLog.Claim.NEW;
            case HELD -> AuditLog.Claim.HELD;
            case OF_EQUAL_CALL -> AuditLog.Claim.NONE;
        };
    }

    /** Whether an equal call is held, by a question that this one has not joined. */
    boolean isEqualToHeldCall() {
        return keyState == KeyState.OF_EQUAL_CALL;
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
        return session;
    }

    public Bound<?> bound() {
        return reached(bound, "bind");
    }

    public Decision decision() {
        return reached(decision, "decide");
    }

    /** The rule of the session's policy by which a person had to be asked; {@code null} if there is none. */
    @Nullable
    String approvalRuleId() {
        return decision instanceof Decision.NeedsApproval needed ? needed.approvalRuleId() : null;
    }

    public Approvals.@Nullable Answer approval() {
        return approval;
    }

    /** The question the call is held by; {@code null} if nobody had to be asked. */
    @Nullable
    HeldQuestion question() {
        return question;
    }

    /** Whether the call goes on without its caller, so that nobody waits for its outcome here. */
    boolean isResumed() {
        return resumed;
    }

    /** Whether the call has taken the yes it was given. */
    boolean hasClaimed() {
        return claimed;
    }

    /** What the caller of a call that has not ended is told; {@code null} if it has. */
    @Nullable
    Answer unended() {
        return unended;
    }

    /** The canonical name once it is known, the name as sent until then. */
    public String toolName() {
        return tool == null ? call.toolName() : tool.spec().name();
    }

    ToolContext context() {
        return new ToolContext(call, bounds);
    }

    private static <T> T reached(@Nullable T part, String stage) {
        if (part == null) {
            throw new IllegalStateException("The call has not passed '" + stage + "'.");
        }
        return part;
    }
}
