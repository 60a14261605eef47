package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import java.io.IOException;

/** Parses one provider's streaming format. */
@FunctionalInterface
interface AnswerReader {
    /** Reads up to the last event of the answer or the end of the stream. */
    void read(Lines lines, ChunkEmitter out, ErrorAnswer errors) throws IOException, ProviderFailed;
}
