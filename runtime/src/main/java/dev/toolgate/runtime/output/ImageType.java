package dev.toolgate.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/** Image formats that models accept, detected by their first bytes and not by file name. */
public enum ImageType {
    PNG("image/png", "\u0089PNG\r\n\u001a\n"),
    JPEG("image/jpeg", "\u00ff\u00d8\u00ff"),
    GIF("image/gif", "GIF8"),
    WEBP("image/webp", "RIFF");

    private final String mediaType;
    private final String magic;

    ImageType(String mediaType, String magic) {
        this.mediaType = mediaType;
        this.magic = magic;
    }

    public String mediaType() {
        return mediaType;
    }

    /** The type of an image with these first bytes. */
    public static Optional<ImageType> of(byte[] head) {
        String start = new String(head, 0, Math.min(head.length, 16), StandardCharsets.ISO_8859_1);
        return Stream.of(values()).filter(type -> type.begins(start)).findFirst();
    }

    private boolean begins(String start) {
        return start.startsWith(magic) && (this != WEBP || start.startsWith("WEBP", 8));
    }
}
