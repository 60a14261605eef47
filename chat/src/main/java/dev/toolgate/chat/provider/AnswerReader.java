package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import java.io.IOException;

/** Understands one provider's way of streaming an answer. */
@FunctionalInterface
interface AnswerReader {
    /** Reads to the last event of the answer, or to the end of the stream if that comes first. */
    void read(Lines lines, Emission out, ErrorAnswer errors) throws IOException, ProviderFailed;
}
