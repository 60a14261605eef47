package dev.toolgate.server.door.artifact;

import java.nio.charset.StandardCharsets;

/** The Content-Disposition header that makes a browser save a file instead of showing it. */
final class Attachment {
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";

    private Attachment() {}

    static String named(String name) {
        String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        String shown = last.isBlank() || last.equals(".") || last.equals("..") ? "artifact" : last;
        return "attachment; filename=\"" + simple(shown) + "\"; filename*=UTF-8''" + encoded(shown);
    }

    private static String simple(String name) {
        StringBuilder safe = new StringBuilder();
        name.codePoints().forEach(letter -> safe.append(isPlain(letter) || letter == ' ' ? (char) letter : '_'));
        return safe.toString();
    }

    private static String encoded(String name) {
        StringBuilder text = new StringBuilder();
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(octet)) {
                text.append((char) octet);
            } else {
                text.append('%').append(String.format("%02X", octet & 0xff));
            }
        }
        return text.toString();
    }

    private static boolean isPlain(int letter) {
        return PLAIN.indexOf(letter) >= 0;
    }
}
