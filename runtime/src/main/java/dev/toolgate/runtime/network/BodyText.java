package dev.toolgate.runtime.network;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes the body of a response, if it is text. */
public final class BodyText {
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]{1,40})");

    private BodyText() {}

    /** The text; empty if the body is binary. The bytes decide, not the declared content type. */
    public static Optional<String> of(byte[] body, String contentType) {
        Charset charset = charset(contentType);
        CodingErrorAction onError = contentType.toLowerCase(Locale.ROOT).startsWith("text/")
                ? CodingErrorAction.REPLACE
                : CodingErrorAction.REPORT;
        try {
            String text = charset.newDecoder()
                    .onMalformedInput(onError)
                    .onUnmappableCharacter(onError)
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            return text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    private static Charset charset(String contentType) {
        Matcher named = CHARSET.matcher(contentType);
        try {
            return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
