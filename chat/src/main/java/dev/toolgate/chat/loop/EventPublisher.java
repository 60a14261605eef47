package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.OutputChunk;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Publishes the events of one answer to its listener, serialised across threads; nothing after the last one. */
final class EventPublisher {
    private final String messageId;
    private final ChatListener listener;
    private boolean over;

    EventPublisher(String messageId, ChatListener listener) {
        this.messageId = messageId;
        this.listener = listener;
    }

    synchronized void publish(Function<String, ChatEvent> event) {
        if (!over) {
            listener.on(event.apply(messageId));
        }
    }

    synchronized void publishLast(Function<String, ChatEvent> event) {
        publish(event);
        over = true;
    }

    /** Publishes text and thinking as they arrive; tool calls are published when they run. */
    void relay(StreamChunk chunk) {
        switch (chunk) {
            case StreamChunk.Text text -> publish(id -> new ChatEvent.TextDelta(id, text.content()));
            case StreamChunk.Thinking thinking -> {
                if (!thinking.content().isEmpty()) {
                    publish(id -> new ChatEvent.ThinkingDelta(id, thinking.content()));
                }
            }
            case StreamChunk.Start _,
                    StreamChunk.ToolCallStart _,
                    StreamChunk.ToolCallDelta _,
                    StreamChunk.ToolCallEnd _,
                    StreamChunk.End _,
                    StreamChunk.Broken _ -> {}
        }
    }

    CallPublisher forCall(ToolCall call, ObjectNode input) {
        return new CallPublisher(call, input);
    }

    /** Publishes one tool call: at most one start, exactly one result, nothing after it. */
    final class CallPublisher implements CallListener {
        private final ToolCall call;
        private final ObjectNode input;
        private boolean asked;
        private boolean started;
        private boolean ended;

        private CallPublisher(ToolCall call, ObjectNode input) {
            this.call = call;
            this.input = input;
        }

        @Override
        public void onHeld(Question question) {
            synchronized (EventPublisher.this) {
                asked = true;
                publish(id -> new ChatEvent.ToolConfirm(id, call.id(), call.name(), input, question));
            }
        }

        @Override
        public void onStart() {
            synchronized (EventPublisher.this) {
                if (!started && !ended) {
                    started = true;
                    publish(id -> new ChatEvent.ToolStart(id, call.id(), call.name(), input));
                }
            }
        }

        @Override
        public void onChunk(OutputChunk chunk) {
            synchronized (EventPublisher.this) {
                onStart();
                if (!ended) {
                    publish(id -> new ChatEvent.ToolDelta(id, call.id(), chunk.text()));
                }
            }
        }

        /**
         * Publishes the result of the call.
         *
         * @return false if it already has a result because it was cancelled
         */
        boolean publishResult(ToolReply reply) {
            synchronized (EventPublisher.this) {
                if (ended) {
                    return false;
                }
                if (reply.status() == Message.Status.SUCCESS) {
                    onStart(); // a call with a result has run, even if its runner did not report the start
                }
                ended = true;
                Map<String, Object> facts = known() ? reply.metadata() : named(reply.metadata());
                publish(id -> new ChatEvent.ToolResult(id, call.id(), reply.status(), reply.text(), facts));
                return true;
            }
        }

        /** Whether the listener knows the call. */
        private boolean known() {
            return asked || started;
        }

        // A listener that does not know the call needs the tool's name.
        private Map<String, Object> named(Map<String, Object> metadata) {
            Map<String, Object> facts = new HashMap<>(metadata);
            facts.put("toolName", call.name());
            return facts;
        }
    }
}
