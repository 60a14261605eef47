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
 * A call in the pipeline and what each stage has found out. Confined to one thread; every part is written once, by the
 * stage it is named after. Mutable parts have their own classes: {@link KeyClaim} for the request key and {@link Held}
 * for the approval.
 */
public final class CallProgress {
    private final Call sent;
    private final Instant startedAt;
    private final @Nullable Session preloadedSession;
    private final long startedNanos = System.nanoTime();
    private final KeyClaim keyClaim = new KeyClaim();
    private @Nullable Admitted admitted;
    private @Nullable Tool<?> tool;
    private @Nullable Bound<?> bound;
    private @Nullable Failure argumentError;
    private @Nullable Decided decided;
    private @Nullable Held held;
    private boolean started;

    CallProgress(Call sent, Instant startedAt) {
        this(sent, startedAt, null);
    }

    CallProgress(Call sent, Instant startedAt, @Nullable Session preloadedSession) {
        this.sent = sent;
        this.startedAt = startedAt;
        this.preloadedSession = preloadedSession;
    }

    /** The session's policy, and the call moved to the session's workspace. */
    private record Admitted(PolicyBundle session, Call call) {}

    /** The tool with its bound arguments. */
    public record Bound<A>(Tool<A> tool, A arguments) {}

    /** The decision and the effective limits. */
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

    /** The session, if it was read before the pipeline; {@code null} if it must be read. */
    @Nullable
    Session preloadedSession() {
        return preloadedSession;
    }

    KeyClaim keyClaim() {
        return keyClaim;
    }

    /** Moves the call to the workspace of its session. */
    void admitted(Session session) {
        Call there = session.workspace() == null ? sent : sent.by(sent.caller().at(session.workspace()));
        admitted = once(admitted, new Admitted(session.bundle(), there));
    }

    void found(Tool<?> newTool) {
        tool = once(tool, newTool);
    }

    /** The arguments are invalid; reported only to callers that may use the tool. */
    void rejectArguments(Failure why) {
        argumentError = once(argumentError, why);
    }

    void bound(Bound<?> newBound) {
        bound = once(bound, newBound);
    }

    void decided(Decision decision, Bounds bounds) {
        decided = once(decided, new Decided(decision, bounds));
    }

    /** Approval was requested; from now on the outcome can be collected by request id. */
    Held.Asked asked(HeldQuestion question, RequestKey key) {
        Held.Asked asked = Held.Asked.waiting(question);
        held = once(held, asked);
        keyClaim.keep(key);
        return asked;
    }

    /** The call was held earlier and continues with the given answer. */
    void resumes(HeldQuestion question, Approvals.Answer answer) {
        held = once(held, Held.Asked.resumed(question, answer));
    }

    /** No approval request was needed or possible. */
    void settled(Approvals.Answer answer) {
        held = once(held, new Held.Settled(answer));
    }

    void started() {
        started = true;
    }

    /** The tool; {@code null} if the name is unknown. */
    public @Nullable Tool<?> tool() {
        return tool;
    }

    /** What is wrong with the arguments; {@code null} if they are valid. */
    public @Nullable Failure argumentError() {
        return argumentError;
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

    /** The approval rule of the session's policy that applied; {@code null} if there is none. */
    @Nullable
    String approvalRuleId() {
        return decided != null && decided.decision() instanceof Decision.NeedsApproval needed
                ? needed.approvalRuleId()
                : null;
    }

    /** The approval answer; {@code null} if there is none. */
    public Approvals.@Nullable Answer approval() {
        return held == null ? null : held.answer();
    }

    /** The approval request; {@code null} if there is none. */
    Held.@Nullable Asked question() {
        return held instanceof Held.Asked asked ? asked : null;
    }

    /** Whether the call continues after approval without its caller, so that no client waits for its outcome. */
    boolean isResumed() {
        return held instanceof Held.Asked asked && asked.isResumed();
    }

    /** The canonical name once known, before that the name as sent. */
    public String toolName() {
        return tool == null ? sent.toolName() : tool.spec().name();
    }

    ToolContext context() {
        return new ToolContext(call(), decided == null ? Bounds.none() : decided.bounds());
    }

    private static <T> T once(@Nullable T before, T part) {
        if (before != null) {
            throw new IllegalStateException("Each part of a call's progress is written once.");
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
