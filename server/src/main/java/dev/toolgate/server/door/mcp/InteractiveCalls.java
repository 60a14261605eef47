package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.NeededInput;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls of tools that may request input from the client while they run. A client with a legacy protocol version is
 * asked over its stream. A newer one gets the input request as the result and sends the call again with the answers; in
 * the meantime the call waits here on its own thread, and only its caller can continue it.
 */
final class InteractiveCalls {
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(5);
    private static final int MAX_WAITING_PER_CALLER = 16;
    private static final String STATE = "call:";
    private static final int MAX_QUESTIONS = 32;

    private final Map<String, WaitingCall> waiting = new ConcurrentHashMap<>();

    /**
     * Makes a call, unless {@link #requireNew} refuses it; the tool requests input with {@link InputRequester}.
     */
    interface Work {
        CallOutcome run(RequestContext context, InputRequester requester);
    }

    /** Requests input from the client; unanswered inputs are missing in the result. */
    interface InputRequester {
        /** For calls that request no input. */
        InputRequester NONE = _ -> Map.of();

        Map<String, ObjectNode> ask(Map<String, NeededInput> inputs) throws InterruptedException;
    }

    /**
     * Continues a call whose client sends the requested input; null if no call of this caller waits for it. Needs no
     * permission: the call has it, and may have taken the last use of its grant.
     */
    @Nullable
    CallOutcome resume(RequestContext context, ToolInvocation invocation) throws InterruptedException {
        String state = invocation.answers().state();
        WaitingCall call = state == null ? null : waiting.get(state);
        return call != null && call.belongsTo(McpCaller.of(context), invocation) && waiting.remove(state, call)
                ? call.resume(context, invocation.answers())
                : null;
    }

    /**
     * Refuses to start a call with the state of one that no longer waits. Only for callers that may use the tool:
     * others must not learn from it that the tool exists.
     */
    static void requireNew(InputAnswers answers) {
        if (isState(answers.state())) {
            throw RpcErrorCode.INVALID_PARAMS.exception(
                    "The call of this state no longer waits; make it again without a state.");
        }
    }

    private static boolean isState(@Nullable String state) {
        return state != null && state.startsWith(STATE);
    }

    /** Starts a call. */
    CallOutcome run(RequestContext context, ToolInvocation invocation, Work work) throws InterruptedException {
        if (isState(invocation.answers().state())) {
            return work.run(context, InputRequester.NONE); // it refuses the call
        }
        if (context.revision().era() == Era.LEGACY) {
            return work.run(context, inputs -> askOverStream(context, inputs));
        }
        if (answerable(context).isEmpty()) {
            return work.run(context, _ -> Map.of()); // it cannot outlive this request, so it needs no thread
        }
        return new WaitingCall(context, invocation).begin(work);
    }

    private static Map<String, ObjectNode> askOverStream(RequestContext context, Map<String, NeededInput> inputs)
            throws InterruptedException {
        Map<String, ObjectNode> answers = new LinkedHashMap<>();
        for (Map.Entry<String, InputRequest> question :
                questions(context, inputs).entrySet()) {
            if (context.ask(question.getValue(), ANSWER_TIMEOUT) instanceof RpcMessage.Result answer) {
                answers.put(question.getKey(), answer.result());
            }
        }
        return answers;
    }

    /** The capabilities declared by the client for input requests. */
    static ObjectNode answerable(RequestContext context) {
        ObjectNode declared = context.capabilities().json();
        ObjectNode answerable = JsonNodeFactory.instance.objectNode();
        for (String capability : List.of("elicitation", "sampling", "roots")) {
            if (declared.path(capability) instanceof ObjectNode given) {
                answerable.set(capability, given);
            }
        }
        return answerable;
    }

    /** Those of the inputs that the client can be asked for. */
    private static Map<String, InputRequest> questions(RequestContext context, Map<String, NeededInput> inputs) {
        Map<String, InputRequest> questions = new LinkedHashMap<>();
        inputs.forEach((key, input) -> {
            InputRequest question = InputRequest.read(input.method(), input.params());
            if (question != null && context.canAsk(question.kind()) && questions.size() < MAX_QUESTIONS) {
                questions.put(key, question);
            }
        });
        return questions;
    }

    /** One step of a call: it has ended, or it needs input from its client. */
    private sealed interface Step {
        record Ended(CallOutcome outcome) implements Step {}

        record Failed(RuntimeException why) implements Step {}

        record Asks(Map<String, InputRequest> questions) implements Step {}
    }

    private final class WaitingCall implements InputRequester {
        private final CurrentContext context;
        private final String caller;
        private final ToolInvocation invocation;
        private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<InputAnswers> answers = new LinkedBlockingQueue<>();

        WaitingCall(RequestContext first, ToolInvocation invocation) {
            this.context = new CurrentContext(first);
            this.caller = McpCaller.of(first).key();
            this.invocation = invocation;
        }

        boolean belongsTo(McpCaller asking, ToolInvocation sent) {
            return asking.key().equals(caller)
                    && sent.name().equals(invocation.name())
                    && sent.arguments().equals(invocation.arguments());
        }

        CallOutcome begin(Work work) throws InterruptedException {
            Thread.ofVirtual().name("mcp-call").start(() -> {
                try {
                    steps.add(new Step.Ended(work.run(context, this)));
                } catch (RuntimeException failed) {
                    steps.add(new Step.Failed(failed));
                }
            });
            return nextStep();
        }

        CallOutcome resume(RequestContext next, InputAnswers given) throws InterruptedException {
            context.continueWith(next);
            answers.add(given);
            return nextStep();
        }

        private CallOutcome nextStep() throws InterruptedException {
            return switch (awaitStep()) {
                case Step.Ended ended -> ended.outcome();
                case Step.Failed failed -> throw failed.why();
                case Step.Asks asks -> {
                    String state = STATE + UUID.randomUUID();
                    waiting.put(state, this);
                    yield new CallOutcome.InputRequired(asks.questions(), state);
                }
            };
        }

        // The engine interrupts the thread of a request whose client has disconnected.
        private Step awaitStep() throws InterruptedException {
            try {
                return steps.take();
            } catch (InterruptedException gone) {
                context.cancelSignal().cancel("The client has disconnected.");
                throw gone;
            }
        }

        @Override
        public Map<String, ObjectNode> ask(Map<String, NeededInput> inputs) throws InterruptedException {
            Map<String, InputRequest> questions = questions(context, inputs);
            if (questions.isEmpty() || hasTooMany()) {
                return Map.of();
            }
            steps.add(new Step.Asks(questions));
            InputAnswers given = answers.poll(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            waiting.values().remove(this);
            Map<String, ObjectNode> answered = new LinkedHashMap<>();
            for (String key : questions.keySet()) {
                if (given != null && given.response(key) instanceof ObjectNode content) {
                    answered.put(key, content);
                }
            }
            return answered;
        }

        private boolean hasTooMany() {
            return waiting.values().stream()
                            .filter(other -> other.caller.equals(caller))
                            .count()
                    >= MAX_WAITING_PER_CALLER;
        }
    }
}
