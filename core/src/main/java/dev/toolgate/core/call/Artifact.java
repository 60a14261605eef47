package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;

/**
 * Output that is stored and referenced instead of shown inline.
 *
 * @param kind {@code tool_output}, {@code file_diff} or {@code image}
 * @param uri {@code null} until it is stored
 */
public record Artifact(
        String kind,
        String mediaType,
        String name,
        Content content,
        @Nullable String uri) {

    public static Artifact of(String kind, String mediaType, String name, Content content) {
        return new Artifact(kind, mediaType, name, content, null);
    }

    /** The same artifact, once it is stored. */
    public Artifact storedAt(String newUri, Content newContent) {
        return new Artifact(kind, mediaType, name, newContent, newUri);
    }
}
