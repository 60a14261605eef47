package dev.toolgate.core.redact;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.OutputChunk;
import java.util.EnumMap;
import java.util.Map;

/**
 * Takes known secrets out of output that is shown while its tool runs. A secret may arrive in two pieces, so what could
 * be the beginning of one is held back until the next piece, or the end, shows what it is.
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

    /** Nothing more comes, so what was held back is no secret. */
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
