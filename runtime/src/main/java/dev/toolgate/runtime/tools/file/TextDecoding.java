package dev.toolgate.runtime.tools.file;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.List;

/** Decoded text and its encoding. */
record TextDecoding(String text, Charset charset) {
    private static final int MAX_CHARACTER_BYTES = 4;

    /** Decodes with the first encoding in which all bytes are valid. */
    static TextDecoding of(byte[] bytes, Charset first, List<Charset> fallbacks, TextWindow.End end) {
        // A truncated line may end within a character, which does not mean that the encoding is wrong.
        int mayDrop = end == TextWindow.End.WITHIN_LINE ? Math.min(MAX_CHARACTER_BYTES, bytes.length) : 1;
        for (int drop = 0; drop < mayDrop; drop++) {
            try {
                return new TextDecoding(strictly(bytes, bytes.length - drop, first), first);
            } catch (CharacterCodingException notYet) {
                // retry with one byte less
            }
        }
        for (Charset fallback : fallbacks) {
            try {
                return new TextDecoding(strictly(bytes, bytes.length, fallback), fallback);
            } catch (CharacterCodingException notThisOne) {
                // try the next one
            }
        }
        return new TextDecoding(new String(bytes, first), first);
    }

    private static String strictly(byte[] bytes, int length, Charset charset) throws CharacterCodingException {
        return charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, 0, length))
                .toString();
    }
}
