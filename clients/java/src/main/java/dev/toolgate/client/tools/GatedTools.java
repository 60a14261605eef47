package dev.toolgate.client.tools;

import dev.toolgate.client.ApprovalPendingException;
import dev.toolgate.client.Call;
import dev.toolgate.client.DeniedException;
import dev.toolgate.client.Permit;
import dev.toolgate.client.ToolCall;
import dev.toolgate.client.ToolFailedException;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.ToolgateException;
import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers the calls of a language model: with tools of this program that run only with a permit, and with tools that the gate
 * runs. A call that is refused, or that the gate cannot decide because it is unavailable, is answered with a text for
 * the model.
 *
 * <p>Every run has a permit of its own. So if a framework retries a call, each attempt is decided and recorded.
 */
public final class GatedTools {
    private static final System.Logger LOG = System.getLogger(GatedTools.class.getName());
    private static final String RUN_BY_GATE = "gate";
    private static final int MAX_CAUSES = 5;

    private final Toolgate toolgate;
    private final @Nullable String source;
    private final Duration maxWait;
    private final @Nullable Duration expiresIn;

    private GatedTools(Toolgate toolgate, @Nullable String source, Duration maxWait, @Nullable Duration expiresIn) {
        this.toolgate = toolgate;
        this.source = source;
        this.maxWait = maxWait;
        this.expiresIn = expiresIn;
    }

    /**
     * Tools for a model that acts as this client's agent.
     *
     * @throws IllegalStateException if the client has no agent
     */
    public static GatedTools of(Toolgate toolgate) {
        toolgate.agent(); // Fails early if the agent is missing, not in the middle of a conversation.
        return new GatedTools(toolgate, null, Call.DEFAULT_WAIT, null);
    }

    /** The same, with the program that runs the tools and its version for the record. */
    public GatedTools from(String program) {
        return new GatedTools(toolgate, program, maxWait, expiresIn);
    }

    /** The same, waiting for an approval for at most this long; ten minutes if not set. */
    public GatedTools waiting(Duration atMost) {
        return new GatedTools(toolgate, source, atMost, expiresIn);
    }

    /** The same, with permits of this lifetime, within which a tool must end; the gate's default if not set. */
    public GatedTools expiringIn(Duration time) {
        return new GatedTools(toolgate, source, maxWait, time);
    }

    /** The tools that the gate runs and this client's agent may use. */
    public List<Tool> offered() {
        return toolgate.tools().stream()
                .filter(tool -> RUN_BY_GATE.equals(tool.executedBy()))
                .toList();
    }

    /**
     * Has the gate run one of its tools.
     *
     * @throws ToolgateException if the thread is interrupted
     */
    public ModelAnswer<ToolResult> execute(ModelCall call) {
        try {
            Call sent = Call.of(call.tool(), ModelArguments.read(call.arguments()));
            return new ModelAnswer.Returned<>(toolgate.execute(sent.waiting(maxWait)));
        } catch (ToolgateException failure) {
            endInterrupted(failure);
            return noOutput(ModelMessages.noResult(call.tool(), failure), failure);
        }
    }

    /**
     * Asks for a permit, runs the tool with the permitted arguments, and reports the outcome. Without a permit the tool
     * does not run.
     *
     * @throws X what the tool threw, after it was reported
     * @throws ToolgateException if the thread is interrupted while it waits for the gate; then the tool did not run
     */
    public <T, X extends Exception> ModelAnswer<T> run(ModelCall call, OwnTool<T, X> tool) throws X {
        Permit permit;
        try {
            permit = toolgate.authorize(wanted(call));
        } catch (ToolgateException failure) {
            endInterrupted(failure);
            return noOutput(ModelMessages.notRun(call.tool(), failure), failure);
        }
        ToolRun<T> run;
        try {
            run = tool.run(ModelArguments.write(permit.parameters()));
        } catch (Throwable failure) {
            try {
                report(permit, ToolRun.failed(failure, describe(failure)));
            } catch (ToolgateException unreported) {
                failure.addSuppressed(unreported);
            }
            throw failure;
        }
        try {
            report(permit, run);
        } catch (ToolgateException unreported) {
            return noOutput(ModelMessages.notRecorded(call.tool()), unreported);
        }
        return new ModelAnswer.Returned<>(run.output());
    }

    private ToolCall wanted(ModelCall call) {
        Call sent = Call.of(call.tool(), ModelArguments.read(call.arguments())).waiting(maxWait);
        return new ToolCall(sent, call.id(), source, expiresIn);
    }

    /** Reports even if the thread was interrupted: the tool has run, so its outcome must be recorded. */
    private static void report(Permit permit, ToolRun<?> run) {
        boolean interrupted = Thread.interrupted();
        try {
            if (run.error() == null) {
                permit.succeeded(run.recorded());
            } else {
                permit.failed(run.error());
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Includes the causes, since an exception of a framework may have no message of its own. */
    private static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            if (text.indexOf(cause.toString()) < 0) {
                text.append("; caused by ").append(cause);
            }
        }
        return text.toString();
    }

    /** An interrupted conversation should end, so the exception is thrown instead of answered to the model. */
    private static void endInterrupted(ToolgateException failure) {
        if (Thread.currentThread().isInterrupted()) {
            throw failure;
        }
    }

    private static <T> ModelAnswer<T> noOutput(String message, ToolgateException reason) {
        boolean expected = reason instanceof DeniedException
                || reason instanceof ApprovalPendingException
                || reason instanceof ToolFailedException
                || reason.code().equals(ModelArguments.INVALID);
        if (!expected) {
            LOG.log(Level.WARNING, () -> message, reason);
        }
        return new ModelAnswer.NoOutput<>(message, reason);
    }
}
