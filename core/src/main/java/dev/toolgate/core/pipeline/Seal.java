package dev.toolgate.core.pipeline;

import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.Artifacts;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.ServerResult;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Confidentiality;
import dev.toolgate.core.tool.RunsAt;
import dev.toolgate.core.tool.Tool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Last stage, for every call including refused ones: shapes, redacts and records the outcome. */
public final class Seal {
    private static final Logger LOG = LoggerFactory.getLogger(Seal.class);
    private static final int SUMMARY_BYTES = 500;
    private static final int MESSAGE_BYTES = 8 * 1024;

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};

    private final AuditLog auditLog;
    private final Artifacts artifacts;
    private final Redactor redactor;
    private final CallRecorder recorder;
    private final Costs costs;
    private final int defaultOutputBytes;

    /** Without argument digests. */
    public Seal(AuditLog auditLog, Artifacts artifacts, Redactor redactor, Costs costs, int defaultOutputBytes) {
        this(auditLog, artifacts, redactor, null, costs, defaultOutputBytes);
    }

    /**
     * @param digest for recorded arguments; {@code null} for none
     * @param defaultOutputBytes the default limit for output text
     */
    public Seal(
            AuditLog auditLog,
            Artifacts artifacts,
            Redactor redactor,
            @Nullable KeyedDigest digest,
            Costs costs,
            int defaultOutputBytes) {
        this.auditLog = auditLog;
        this.artifacts = artifacts;
        this.redactor = redactor;
        this.recorder = new CallRecorder(redactor, digest);
        this.costs = costs;
        this.defaultOutputBytes = defaultOutputBytes;
    }

    /**
     * Records the outcome, then returns the answer to the call.
     *
     * @throws RequestKeys.Taken if the call never started and the same one has been answered in the meantime
     */
    public Answer apply(CallProgress progress, Outcome outcome) {
        Outcome sealed = shapeOrFail(progress, outcome);
        try {
            auditLog.record(entry(progress, sealed), kept(progress, sealed));
            return Answer.recorded(progress.call().requestId(), sealed);
        } catch (RequestKeys.Taken answeredMeanwhile) {
            throw answeredMeanwhile;
        } catch (Unavailable unreachable) {
            LOG.warn("Call {} could not be recorded: {}", progress.call().requestId(), unreachable.getMessage());
            return withheld(progress, ErrorCode.SERVICE_UNAVAILABLE);
        } catch (RuntimeException unrecorded) {
            LOG.error("Call {} could not be recorded", progress.call().requestId(), unrecorded);
            return withheld(progress, ErrorCode.INTERNAL_ERROR);
        }
    }

    /**
     * The same, for a call that its caller ran: its intent is already recorded, only the outcome is new.
     *
     * @return empty if the permit is no longer open; nothing was recorded
     */
    Optional<Answer> report(OpenPermit permit, Outcome reported, Duration took) {
        AuditLog.Intent intent = permit.intent();
        Call call = Call.of(intent.caller(), intent.tool(), intent.parameters()).as(intent.requestId());
        CallProgress progress = new CallProgress(call, intent.at());
        Outcome sealed = shapeOrFail(progress, reported);
        try {
            auditLog.record(
                    entry(permit, call, sealed, took),
                    new AuditLog.KeptAnswer(permit.key(), sealed, AuditLog.Claim.HELD, AuditLog.Progress.REPORTED));
            return Optional.of(Answer.recorded(call.requestId(), sealed));
        } catch (RequestKeys.Taken endedMeanwhile) {
            return Optional.empty();
        } catch (Unavailable unreachable) {
            LOG.warn("The report of call {} could not be recorded: {}", call.requestId(), unreachable.getMessage());
            return Optional.of(withheld(progress, ErrorCode.SERVICE_UNAVAILABLE));
        } catch (RuntimeException unrecorded) {
            LOG.error("The report of call {} could not be recorded", call.requestId(), unrecorded);
            return Optional.of(withheld(progress, ErrorCode.INTERNAL_ERROR));
        }
    }

    /** The answer to a call without outcome; nothing is recorded. */
    Answer undecided(CallProgress progress, StageEnd.Undecided end) {
        return new Answer.Undecided(progress.call().requestId(), shapeOrHide(progress, end.failure()), end.state());
    }

    private Failure shapeOrHide(CallProgress progress, Failure failure) {
        try {
            return shape(progress, failure);
        } catch (RuntimeException misshapen) {
            LOG.error(
                    "The answer to call {} could not be redacted",
                    progress.call().requestId(),
                    misshapen);
            return Failure.of(failure.code(), "The call was not decided; the reason cannot be shown");
        }
    }

    private static Answer withheld(CallProgress progress, ErrorCode why) {
        return new Answer.Undecided(
                progress.call().requestId(),
                Failure.of(why, "The call could not be put on record, so its result is withheld"),
                Answer.Undecided.State.UNRECORDED);
    }

    // What cannot be shaped cannot be redacted, so it is withheld; the call is still recorded.
    private Outcome shapeOrFail(CallProgress progress, Outcome outcome) {
        try {
            return shape(progress, outcome);
        } catch (RuntimeException misshapen) {
            LOG.error(
                    "The outcome of call {} could not be read", progress.call().requestId(), misshapen);
            return new Outcome.Failed(Failure.of(
                    ErrorCode.INTERNAL_ERROR, "The tool ran, but its result could not be read, so it is withheld"));
        }
    }

    private Outcome shape(CallProgress progress, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> {
                try {
                    yield new Outcome.Completed(shape(progress, completed.output()));
                } catch (IOException | RuntimeException unstored) {
                    LOG.warn(
                            "Artifacts of call {} could not be stored",
                            progress.call().requestId(),
                            unstored);
                    discard(completed.output());
                    yield new Outcome.Failed(Failure.of(
                                    ErrorCode.WORKSPACE_UPLOAD_FAILED,
                                    "The tool ran, but its artifacts could not be stored" + reason(unstored))
                            .withPartial(fit(progress, completed.output().withArtifacts(List.of()))));
                }
            }
            case Outcome.Failed failed -> new Outcome.Failed(shape(progress, failed.failure()));
            case Outcome.Refused refused -> new Outcome.Refused(shape(progress, refused.failure()));
        };
    }

    // Callers may know of a limit, but not of problems with the store.
    private static String reason(Exception unstored) {
        return unstored instanceof ArtifactRefused refused ? ": " + refused.getMessage() : "";
    }

    // Otherwise their files would stay and fill the disk.
    private static void discard(Output output) {
        for (Artifact artifact : output.artifacts()) {
            try {
                artifact.content().discard();
            } catch (IOException busy) {
                LOG.warn("The file of an artifact that was not stored could not be deleted", busy);
            }
        }
    }

    private Output shape(CallProgress progress, Output output) throws IOException {
        Output fitting = fit(progress, output);
        if (output.artifacts().isEmpty()) {
            return fitting;
        }
        List<Artifact> stored = new ArrayList<>();
        for (Artifact artifact : output.artifacts()) {
            stored.add(artifacts.store(progress.call().caller(), progress.call().requestId(), artifact));
        }
        return fitting.withArtifacts(stored);
    }

    private Failure shape(CallProgress progress, Failure failure) {
        Redactor redactor = redactor(progress);
        Output partial = failure.partial();
        Failure clean = failure.withMessage(HeadTail.fit(redactor.clean(failure.message()), MESSAGE_BYTES))
                .withDetails(redactor.knowsSecrets() ? hideKnown(redactor, failure.details()) : failure.details());
        return partial == null ? clean : clean.withPartial(fit(progress, partial));
    }

    private Output fit(CallProgress progress, Output output) {
        int room = progress.context().maxOutputBytesOr(defaultOutputBytes);
        Redactor redactor = redactor(progress);
        Output clean = redactor.knowsSecrets() ? withoutSecrets(redactor, output) : output;
        String text = HeadTail.fit(clean.text(), room);
        // The original result of an MCP server repeats the text, so it would exceed the limit as well.
        return text.equals(clean.text()) ? clean : clean.withText(text).withOriginal(null);
    }

    private static Output withoutSecrets(Redactor redactor, Output output) {
        return new Output(
                redactor.hideKnown(output.text()),
                output.structured() == null
                        ? null
                        : redactor.hideKnown(Json.MAPPER.<JsonNode>valueToTree(output.structured())),
                hideKnown(redactor, output.metadata()),
                output.artifacts(),
                output.verdict(),
                output.original() == null ? null : withoutSecrets(redactor, output.original()));
    }

    private static ServerResult withoutSecrets(Redactor redactor, ServerResult original) {
        ObjectNode meta = original.meta();
        return new ServerResult(
                (ArrayNode) redactor.hideKnown(original.content()),
                meta == null ? null : (ObjectNode) redactor.hideKnown(meta));
    }

    private static Map<String, Object> hideKnown(Redactor redactor, Map<String, Object> facts) {
        return Json.MAPPER.convertValue(redactor.hideKnown(Json.MAPPER.<JsonNode>valueToTree(facts)), FACTS);
    }

    private Redactor redactor(CallProgress progress) {
        return redactor.forCallerOf(progress.call(), progress.toolName());
    }

    // A confidential result is returned once and never stored; failures are not confidential.
    private static AuditLog.@Nullable KeptAnswer kept(CallProgress progress, Outcome outcome) {
        RequestKey key = progress.keyClaim().key();
        if (key == null || Answer.isTemporary(outcome)) {
            // Refused before its request id was claimed, so it must not end another call with that id; or refused for
            // now, so the same call may be sent again under its id.
            return progress.call().idOrigin() == Call.IdOrigin.BY_CALLER && !progress.hasStarted()
                    ? AuditLog.KeptAnswer.ofUnstarted(CallDigest.key(progress.call()), null, AuditLog.Claim.NONE)
                    : null;
        }
        Tool<?> tool = progress.tool();
        boolean withheld = outcome instanceof Outcome.Completed
                && tool != null
                && tool.spec().confidentiality() == Confidentiality.CONFIDENTIAL;
        return new AuditLog.KeptAnswer(
                key,
                withheld ? null : outcome,
                progress.keyClaim().claim(),
                progress.hasStarted() ? AuditLog.Progress.STARTED : AuditLog.Progress.NOT_STARTED);
    }

    private AuditLog.Entry entry(CallProgress progress, Outcome outcome) {
        Call call = progress.call();
        return new AuditLog.Entry(
                recorder.ended(progress),
                Duration.ofNanos(System.nanoTime() - progress.startedNanos()),
                status(outcome),
                errorCode(outcome),
                outcome instanceof Outcome.Refused refused
                        ? recorder.text(call, refused.failure().message())
                        : null,
                recorder.approval(progress),
                HeadTail.fit(recorder.text(call, summary(outcome)), SUMMARY_BYTES),
                progress.hasStarted() ? costs.of(progress.toolName()).orElse(null) : null,
                place(progress));
    }

    // A refused permit counts as run by the client, too.
    private static RunsAt place(CallProgress progress) {
        return progress.call().permitFor() == null ? RunsAt.GATE : RunsAt.CLIENT;
    }

    private AuditLog.Entry entry(OpenPermit permit, Call call, Outcome outcome, Duration took) {
        return new AuditLog.Entry(
                permit.intent(),
                took,
                status(outcome),
                errorCode(outcome),
                null,
                permit.approval(),
                HeadTail.fit(recorder.text(call, summary(outcome)), SUMMARY_BYTES),
                costs.of(permit.intent().tool()).orElse(null),
                RunsAt.CLIENT);
    }

    private static AuditLog.Status status(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> AuditLog.Status.COMPLETED;
            case Outcome.Failed failed -> AuditLog.Status.FAILED;
            case Outcome.Refused refused -> AuditLog.Status.REFUSED;
        };
    }

    private static @Nullable ErrorCode errorCode(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> null;
            case Outcome.Failed failed -> failed.failure().code();
            case Outcome.Refused refused -> refused.failure().code();
        };
    }

    // The size, not the text: output belongs to the caller, not to the audit log.
    private static String summary(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed ->
                completed.output().verdict() + ", "
                        + completed.output().text().length() + " characters, "
                        + completed.output().artifacts().size() + " artifacts";
            case Outcome.Failed failed -> failed.failure().message();
            case Outcome.Refused refused -> refused.failure().message();
        };
    }
}
