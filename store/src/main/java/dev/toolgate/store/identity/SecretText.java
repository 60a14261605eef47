package dev.toolgate.store.identity;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/**
 * The format of generated secrets: a prefix for their kind, 43 random letters and digits (256 bits), and a
 * checksum, so that a mistyped one is detected without a database query.
 */
public enum SecretText {
    API_KEY("tg_"),
    CONSOLE_LOGIN("ts_");

    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_LENGTH = 43;
    private static final int CHECKSUM_LENGTH = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String start;

    SecretText(String start) {
        this.start = start;
    }

    /** Generates a new secret. */
    public String generate() {
        StringBuilder text = new StringBuilder(start);
        for (int i = 0; i < RANDOM_LENGTH; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text + checksum(text.toString());
    }

    /** Whether a text has this format and a valid checksum. */
    public boolean hasValidChecksum(String text) {
        int body = start.length() + RANDOM_LENGTH;
        return hasForm(text) && text.endsWith(checksum(text.substring(0, body)));
    }

    /** Whether a text has this format, regardless of the checksum. */
    public boolean hasForm(String text) {
        if (text.length() != start.length() + RANDOM_LENGTH + CHECKSUM_LENGTH || !text.startsWith(start)) {
            return false;
        }
        for (int i = start.length(); i < text.length(); i++) {
            if (!isLetterOrDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    private static String checksum(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.US_ASCII));
        long rest = crc.getValue();
        char[] digits = new char[CHECKSUM_LENGTH];
        for (int i = CHECKSUM_LENGTH - 1; i >= 0; i--) {
            digits[i] = ALPHABET.charAt((int) (rest % ALPHABET.length()));
            rest /= ALPHABET.length();
        }
        return new String(digits);
    }
}
