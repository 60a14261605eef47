package dev.toolgate.core.artifact;

import dev.toolgate.core.call.WorkspaceId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URI of an artifact, {@code workspaces/{workspace}/artifacts/{id}}, in one canonical form. */
public record ArtifactUri(WorkspaceId workspace, String id) {
    private static final Pattern ID = Pattern.compile("art_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern TEXT = Pattern.compile("workspaces/([^/]{1,2400})/artifacts/(art_[0-9a-f-]{36})");

    public ArtifactUri {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("An artifact's id is art_ and a UUID.");
        }
    }

    /** A new, unguessable URI. */
    public static ArtifactUri random(WorkspaceId workspace) {
        return new ArtifactUri(workspace, "art_" + UUID.randomUUID());
    }

    /** The URI of this id; empty if the id is malformed. */
    public static Optional<ArtifactUri> of(WorkspaceId workspace, String id) {
        return ID.matcher(id).matches() ? Optional.of(new ArtifactUri(workspace, id)) : Optional.empty();
    }

    /** Parses a URI; empty if it is malformed or not canonical. */
    public static Optional<ArtifactUri> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            return of(new WorkspaceId(decoded(parts.group(1))), parts.group(2))
                    .filter(uri -> uri.toString().equals(text));
        } catch (IllegalArgumentException notAName) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "workspaces/" + encoded(workspace.value()) + "/artifacts/" + id;
    }

    private static String encoded(String name) {
        StringBuilder text = new StringBuilder();
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            char plain = (char) octet;
            if (isUnreserved(plain)) {
                text.append(plain);
            } else {
                text.append('%').append(String.format("%02X", octet & 0xff));
            }
        }
        return text.toString();
    }

    private static boolean isUnreserved(char letter) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9')
                || letter == '-'
                || letter == '_'
                || letter == '.'
                || letter == '~';
    }

    private static String decoded(String text) {
        byte[] octets = new byte[text.length()];
        int size = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%' && i + 3 <= text.length()) {
                octets[size++] = (byte) Integer.parseInt(text.substring(i + 1, i + 3), 16);
                i += 2;
            } else {
                octets[size++] = (byte) text.charAt(i);
            }
        }
        return new String(octets, 0, size, StandardCharsets.UTF_8);
    }
}
