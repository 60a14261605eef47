package dev.toolgate.core.pipeline;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.artifact.ArtifactRefused;
import dev.toolgate.core.artifact.Artifacts;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.Costs;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Confidentiality;
import dev.toolgate.core.tool.Tool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** Last stage, for every call, refused ones included: shape the outcome, redact it, put it on record. */
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

    /** Without digests of arguments on record. */
    public Seal(AuditLog auditLog, Artifacts artifacts, Redactor redactor, Costs costs, int defaultOutputBytes) {
        this(auditLog, artifacts, redactor, null, costs, defaultOutputBytes);
    }

    /**
     * @param digest of the arguments that go on record; {@code null} for none
     * @param defaultOutputBytes the limit for the text of an output where nobody has set another
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
     * The answer to the call; the outcome is on record before this returns.
     *
     * @throws RequestKeys.Taken if the call never started and the same one has been answered in the meantime
     */
    public Answer apply(Passage passage, Outcome outcome) {
        Outcome sealed = shapeOrFail(passage, outcome);
        try {
            auditLog.record(entry(passage, sealed), kept(passage, sealed));
            return Answer.recorded(passage.call().requestId(), sealed);
        } catch (RequestKeys.Taken answeredMeanwhile) {
            throw answeredMeanwhile;
        } catch (Unavailable unreachable) {
            LOG.warn("Call {} could not be recorded: {}", passage.call().requestId(), unreachable.getMessage());
            return withheld(passage, ErrorCode.SERVICE_UNAVAILABLE);
        } catch (RuntimeException unrecorded) {
            LOG.error("Call {} could not be recorded", passage.call().requestId(), unrecorded);
            return withheld(passage, ErrorCode.INTERNAL_ERROR);
        }
    }

    /** The answer to a call that has no outcome; nothing goes on record. */
    Answer undecided(Passage passage, StageEnd.Undecided end) {
        return new Answer.Undecided(passage.call().requestId(), shapeOrHide(passage, end.failure()), end.state());
    }

    private Failure shapeOrHide(Passage passage, Failure failure) {
        try {
            return shape(passage, failure);
        } catch (RuntimeException misshapen) {
            LOG.error(
                    "The answer to call {} could not be redacted",
                    passage.call().requestId(),
                    misshapen);
            return Failure.of(failure.code(), "The call was not decided; the reason cannot be shown");
        }
    }

    private static Answer withheld(Passage passage, ErrorCode why) {
        return new Answer.Undecided(
                passage.call().requestId(),
                Failure.of(why, "The call could not be put on record, so its result is withheld"),
                Answer.Undecided.State.UNRECORDED);
    }

    // What cannot be shaped cannot be redacted either, so it goes no further; the call is still recorded.
    private Outcome shapeOrFail(Passage passage, Outcome outcome) {
        try {
            return shape(passage, outcome);
        } catch (RuntimeException misshapen) {
            LOG.error("The outcome of call {} could not be read", passage.call().requestId(), misshapen);
            return new Outcome.Failed(Failure.of(
                    ErrorCode.INTERNAL_ERROR, "The tool ran, but its result could not be read, so it is withheld"));
        }
    }

    private Outcome shape(Passage passage, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> {
                try {
                    yield new Outcome.Completed(shape(passage, completed.output()));
                } catch (IOException | RuntimeException unstored) {
                    LOG.warn(
                            "Artifacts of call {} could not be stored",
                            passage.call().requestId(),
                            unstored);
                    discard(completed.output());
                    yield new Outcome.Failed(Failure.of(
                                    ErrorCode.WORKSPACE_UPLOAD_FAILED,
                                    "The tool ran, but its artifacts could not be stored" + reason(unstored))
                            .leaving(fit(passage, completed.output().attaching(List.of()))));
                }
            }
            case Outcome.Failed failed -> new Outcome.Failed(shape(passage, failed.failure()));
            case Outcome.Refused refused -> new Outcome.Refused(shape(passage, refused.failure()));
        };
    }

    // A limit is the caller's to know; what is wrong with the store is the operator's.
    private static String reason(Exception unstored) {
        return unstored instanceof ArtifactRefused refused ? ": " + refused.getMessage() : "";
    }

    // Their files would otherwise stay, and fill the disk of a store that is full already.
    private static void discard(Output output) {
        for (Artifact artifact : output.artifacts()) {
            try {
                artifact.content().discard();
            } catch (IOException busy) {
                LOG.warn("The file of an artifact that could not be stored stays behind", busy);
            }
        }
    }

    private Output shape(Passage passage, Output output) throws IOException {
        Output fitting = fit(passage, output);
        if (output.artifacts().isEmpty()) {
            return fitting;
        }
        List<Artifact> stored = new ArrayList<>();
        for (Artifact artifact : output.artifacts()) {
            stored.add(artifacts.store(passage.call().caller(), artifact));
        }
        return fitting.attaching(stored);
    }

    private Failure shape(Passage passage, Failure failure) {
        Redactor redactor = redactor(passage);
        Output partial = failure.partial();
        Failure clean = failure.saying(HeadTail.fit(redactor.clean(failure.message()), MESSAGE_BYTES))
                .detailing(redactor.knowsSecrets() ? hideKnown(redactor, failure.details()) : failure.details());
        return partial == null ? clean : clean.leaving(fit(passage, partial));
    }

    private Output fit(Passage passage, Output output) {
        int room = passage.context().maxOutputBytesOr(defaultOutputBytes);
        Redactor redactor = redactor(passage);
        Output clean = redactor.knowsSecrets() ? withoutSecrets(redactor, output) : output;
        String text = HeadTail.fit(clean.text(), room);
        return text.equals(clean.text()) ? clean : clean.saying(text);
    }

    private static Output withoutSecrets(Redactor redactor, Output output) {
        return new Output(
                redactor.hideKnown(output.text()),
                output.structured() == null
                        ? null
                        : redactor.hideKnown(Json.MAPPER.<JsonNode>valueToTree(output.structured())),
                hideKnown(redactor, output.metadata()),
                output.artifacts(),
                output.verdict());
    }

    private static Map<String, Object> hideKnown(Redactor redactor, Map<String, Object> facts) {
        return Json.MAPPER.convertValue(redactor.hideKnown(Json.MAPPER.<JsonNode>valueToTree(facts)), FACTS);
    }

    private Redactor redactor(Passage passage) {
        return redactor.answering(passage.call());
    }

    // A confidential result is shown once and kept nowhere; how a call failed is no secret.
    private static AuditLog.@Nullable KeptAnswer kept(Passage passage, Outcome outcome) {
        RequestKey key = passage.keyClaim().key();
        if (key == null) {
            // Turned away before its request id was claimed, it does not end another call that has it.
            return passage.call().naming() == Call.Naming.BY_CALLER && !passage.hasStarted()
                    ? new AuditLog.KeptAnswer(CallDigest.key(passage.call()), null, AuditLog.Claim.NONE)
                    : null;
        }
        Tool<?> tool = passage.tool();
        boolean withheld = outcome instanceof Outcome.Completed
                && tool != null
                && tool.spec().confidentiality() == Confidentiality.CONFIDENTIAL;
        return new AuditLog.KeptAnswer(
                key,
                withheld ? null : outcome,
                passage.keyClaim().claim(),
                passage.hasStarted() ? AuditLog.Progress.STARTED : AuditLog.Progress.NOT_STARTED);
    }

    private AuditLog.Entry entry(Passage passage, Outcome outcome) {
        Call call = passage.call();
        Approvals.Answer approval = passage.approval();
        return new AuditLog.Entry(
                recorder.ended(passage),
                Duration.ofNanos(System.nanoTime() - passage.startedNanos()),
                status(outcome),
                errorCode(outcome),
                outcome instanceof Outcome.Refused refused
                        ? recorder.text(call, refused.failure().message())
                        : null,
                approval == null ? AuditLog.Approval.NONE : approval(passage, approval),
                HeadTail.fit(recorder.text(call, summary(outcome)), SUMMARY_BYTES),
                passage.hasStarted() ? costs.of(passage.toolName()).orElse(null) : null);
    }

    private AuditLog.Approval approval(Passage passage, Approvals.Answer answer) {
        boolean answered = answer.by() != null;
        return new AuditLog.Approval(
                answer.by(),
                answered ? answer.at() : null,
                answer.reason() == null ? null : recorder.text(passage.call(), answer.reason()),
                answered ? passage.approvalRuleId() : null);
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

    // The size, not the text: what a tool read or printed belongs to its caller, not to the record.
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
