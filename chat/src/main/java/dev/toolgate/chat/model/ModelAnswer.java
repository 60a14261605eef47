package dev.toolgate.chat.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assembles the chunks of one answer; interleaved tool calls are told apart by id. */
public final class ModelAnswer {
    private final List<Draft> drafts = new ArrayList<>();
    private final Map<String, Draft> calls = new HashMap<>();
    private StreamChunk.@Nullable End end;
    private @Nullable ProviderFailure failure;
    private boolean begun;

    /** Takes the next chunk. */
    public void accept(StreamChunk chunk) {
        begun |= !(chunk instanceof StreamChunk.Broken);
        switch (chunk) {
            case StreamChunk.Start _ -> {}
            case StreamChunk.Text text -> open(Kind.TEXT).text.append(text.content());
            case StreamChunk.Thinking thinking -> think(thinking);
            case StreamChunk.ToolCallStart start -> {
                Draft call = new Draft(Kind.CALL, start.toolId(), start.toolName());
                drafts.add(call);
                calls.put(start.toolId(), call);
            }
            case StreamChunk.ToolCallDelta delta -> call(delta.toolId()).text.append(delta.content());
            case StreamChunk.ToolCallEnd toolEnd -> call(toolEnd.toolId()).closed = true;
            case StreamChunk.End last -> end = last;
            case StreamChunk.Broken broken -> failure = broken.failure();
        }
    }

    private void think(StreamChunk.Thinking thinking) {
        switch (thinking.seal()) {
            case null -> open(Kind.THINKING).text.append(thinking.content());
            case ThinkingSeal.Signature signature -> {
                Draft thought = open(Kind.THINKING);
                thought.signature = signature.value();
                thought.closed = true;
            }
            case ThinkingSeal.Redacted redacted -> {
                Draft thought = new Draft(Kind.REDACTED, "", "");
                thought.text.append(redacted.data());
                drafts.add(thought);
            }
        }
    }

    /** The message so far; tool calls only once complete. */
    public Message.Assistant message() {
        List<Block> blocks = new ArrayList<>();
        for (Draft draft : drafts) {
            String text = draft.text.toString();
            switch (draft.kind) {
                case TEXT -> {
                    if (!text.isEmpty()) {
                        blocks.add(new Block.Text(text));
                    }
                }
                case THINKING -> blocks.add(new Block.Thinking(text, draft.signature));
                case REDACTED -> blocks.add(new Block.RedactedThinking(text));
                case CALL -> {
                    if (draft.closed) {
                        String input = text.isBlank() ? ToolCall.NO_ARGUMENTS : text;
                        blocks.add(new ToolCall(draft.id, draft.name, input));
                    }
                }
            }
        }
        return new Message.Assistant(blocks);
    }

    /** The last chunk of a complete answer; {@code null} until it arrives. */
    public StreamChunk.@Nullable End end() {
        return end;
    }

    /** Why the answer is incomplete, if it failed. */
    public @Nullable ProviderFailure failure() {
        return failure;
    }

    /** Whether the model sent anything, even without text. */
    public boolean begun() {
        return begun;
    }

    private Draft call(String id) {
        Draft call = calls.get(id);
        if (call == null) {
            throw new IllegalStateException("A piece of a tool call came before its start.");
        }
        return call;
    }

    private Draft open(Kind kind) {
        if (drafts.isEmpty() || drafts.getLast().kind != kind || drafts.getLast().closed) {
            drafts.add(new Draft(kind, "", ""));
        }
        return drafts.getLast();
    }

    private enum Kind {
        TEXT,
        THINKING,
        REDACTED,
        CALL
    }

    private static final class Draft {
        private final Kind kind;
        private final String id;
        private final String name;
        private final StringBuilder text = new StringBuilder();
        private @Nullable String signature;
        private boolean closed;

        Draft(Kind kind, String id, String name) {
            this.kind = kind;
            this.id = id;
            this.name = name;
        }
    }
}
