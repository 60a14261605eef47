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

/** Tells the listener of one answer, one event at a time, whoever speaks; and nothing after the last one. */
final class Announcer {
    private final String messageId;
    private final ChatListener listener;
    private boolean over;

    Announcer(String messageId, ChatListener listener) {
        this.messageId = messageId;
        this.listener = listener;
    }

    synchronized void say(Function<String, ChatEvent> event) {
        if (!over) {
            listener.on(event.apply(messageId));
        }
    }

    synchronized void sayLast(Function<String, ChatEvent> event) {
        say(event);
        over = true;
    }

    /** What of a model's answer can be seen as it arrives; tools are told of when they are called. */
    void relay(StreamChunk chunk) {
        switch (chunk) {
            case StreamChunk.Text text -> say(id -> new ChatEvent.TextDelta(id, text.content()));
            case StreamChunk.Thinking thinking -> {
                if (!thinking.content().isEmpty()) {
                    say(id -> new ChatEvent.ThinkingDelta(id, thinking.content()));
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

    OfCall of(ToolCall call, ObjectNode input) {
        return new OfCall(call, input);
    }

    /** Tells of one tool call: started only if it runs and at most once, ended once, nothing after its end. */
    final class OfCall implements CallListener {
        private final ToolCall call;
        private final ObjectNode input;
        private boolean asked;
        private boolean started;
        private boolean ended;

        private OfCall(ToolCall call, ObjectNode input) {
            this.call = call;
            this.input = input;
        }

        @Override
        public void onHeld(Question question) {
            synchronized (Announcer.this) {
                asked = true;
                say(id -> new ChatEvent.ToolConfirm(id, call.id(), call.name(), input, question));
            }
        }

        @Override
        public void onStart() {
            synchronized (Announcer.this) {
                if (!started && !ended) {
                    started = true;
                    say(id -> new ChatEvent.ToolStart(id, call.id(), call.name(), input));
                }
            }
        }

        @Override
        public void onChunk(OutputChunk chunk) {
            synchronized (Announcer.this) {
                onStart();
                if (!ended) {
                    say(id -> new ChatEvent.ToolDelta(id, call.id(), chunk.text()));
                }
            }
        }

        /**
         * Tells what came of the call.
         *
         * @return whether this is its result; not if it has had one already, because it was cancelled
         */
        boolean ends(ToolReply reply) {
            synchronized (Announcer.this) {
                if (ended) {
                    return false;
                }
                if (reply.status() == Message.Status.SUCCESS) {
                    onStart(); // what has a result has run, whether its runner said so or not
                }
                ended = true;
                Map<String, Object> facts = known() ? reply.metadata() : named(reply.metadata());
                say(id -> new ChatEvent.ToolResult(id, call.id(), reply.status(), reply.text(), facts));
                return true;
            }
        }

        /** Whether the listener has heard of the call. */
        private boolean known() {
            return asked || started;
        }

        // Whoever has not heard of the call could not tell which tool was meant.
        private Map<String, Object> named(Map<String, Object> metadata) {
            Map<String, Object> facts = new HashMap<>(metadata);
            facts.put("toolName", call.name());
            return facts;
        }
    }
}
