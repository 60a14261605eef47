package dev.toolgate.runtime.tools.file;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.List;

/** Text and the encoding it turned out to be in. */
record TextDecoding(String text, Charset charset) {
    private static final int LONGEST_CHARACTER = 4;

    /** Decodes with the first encoding in which every byte makes sense. */
    static TextDecoding of(byte[] bytes, Charset first, List<Charset> fallbacks, TextWindow.End end) {
        // A line cut for its length may end within a character; that does not make the encoding wrong.
        int mayDrop = end == TextWindow.End.IN_LINE ? Math.min(LONGEST_CHARACTER, bytes.length) : 1;
        for (int drop = 0; drop < mayDrop; drop++) {
            try {
                return new TextDecoding(strictly(bytes, bytes.length - drop, first), first);
            } catch (CharacterCodingException notYet) {
                // one byte less may be right
            }
        }
        for (Charset fallback : fallbacks) {
            try {
                return new TextDecoding(strictly(bytes, bytes.length, fallback), fallback);
            } catch (CharacterCodingException notThisOne) {
                // the next one may be
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
