package dev.toolgate.core.redact;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.Progress;
import dev.toolgate.core.call.ToolLog;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Redacts known secrets in live output. A secret may arrive in two pieces, so text that could start one is held back
 * until the next piece, or the end, decides.
 */
public final class LiveRedaction implements CallListener, AutoCloseable {
    private final Redactor redactor;
    private final CallListener listener;
    private final Map<OutputChunk.Source, String> heldBack = new EnumMap<>(OutputChunk.Source.class);

    public LiveRedaction(Redactor redactor, CallListener listener) {
        this.redactor = redactor;
        this.listener = listener;
    }

    @Override
    public void onChunk(OutputChunk chunk) {
        String text = redactor.hideKnown(heldBack.getOrDefault(chunk.source(), "") + chunk.text());
        int certain = text.length() - redactor.beginningOfKnown(text);
        heldBack.put(chunk.source(), text.substring(certain));
        if (certain > 0) {
            listener.onChunk(new OutputChunk(chunk.source(), text.substring(0, certain)));
        }
    }

    @Override
    public void onProgress(Progress progress) {
        String message = progress.message();
        listener.onProgress(
                new Progress(progress.done(), progress.total(), message == null ? null : redactor.hideKnown(message)));
    }

    @Override
    public void onLog(ToolLog message) {
        String logger = message.logger();
        listener.onLog(new ToolLog(
                message.level(),
                logger == null ? null : redactor.hideKnown(logger),
                redactor.hideKnown(message.data())));
    }

    @Override
    public ObjectNode answerable() {
        return listener.answerable();
    }

    @Override
    public Map<String, ObjectNode> onInputNeeded(Map<String, NeededInput> inputs) throws InterruptedException {
        Map<String, NeededInput> shown = new LinkedHashMap<>();
        inputs.forEach((key, input) ->
                shown.put(key, new NeededInput(input.method(), (ObjectNode) redactor.hideKnown(input.params()))));
        return listener.onInputNeeded(shown);
    }

    /** Flushes the held-back text, which turned out to be no secret. */
    @Override
    public void close() {
        heldBack.forEach((source, text) -> {
            if (!text.isEmpty()) {
                listener.onChunk(new OutputChunk(source, text));
            }
        });
        heldBack.clear();
    }
}
