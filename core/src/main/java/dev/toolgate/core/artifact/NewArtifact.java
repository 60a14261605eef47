package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What whoever stores an artifact says about it. Names and media types often come from elsewhere, so what cannot be
 * kept or sent again as it is becomes something that can.
 *
 * @param agent who made it; {@code null} if no agent did
 * @param session the session it is made in; {@code null} if it is made in none
 * @param principal who asked for it: the key or token with which its call was made; {@code null} if that is not known
 */
public record NewArtifact(
        TenantId tenant,
        WorkspaceId workspace,
        @Nullable AgentId agent,
        @Nullable SessionId session,
        @Nullable String principal,
        String kind,
        String mediaType,
        String name) {
    /** What bytes are that nobody knows anything about. */
    public static final String UNKNOWN_TYPE = "application/octet-stream";

    private static final String TOKEN = "[A-Za-z0-9!#$&^_.+-]{1,60}";
    private static final Pattern MEDIA_TYPE = Pattern.compile(
            TOKEN + "/" + TOKEN + "( ?; ?" + TOKEN + "=(" + TOKEN + "|\"[A-Za-z0-9 !#-\\[\\]-~]{0,60}\")){0,4}");
    private static final Pattern KIND = Pattern.compile("[a-z0-9_]{1,100}");
    private static final int LONGEST_MEDIA_TYPE = 200;
    private static final int LONGEST_NAME = 255;

    public NewArtifact {
        kind = KIND.matcher(kind).matches() ? kind : "tool_output";
        mediaType = isMediaType(mediaType) ? mediaType : UNKNOWN_TYPE;
        name = clean(name);
    }

    /** An artifact that a call has made. */
    public static NewArtifact of(Caller owner, Artifact artifact) {
        return new NewArtifact(
                owner.tenant(),
                owner.workspace(),
                owner.agent(),
                owner.session(),
                owner.principal(),
                artifact.kind(),
                artifact.mediaType(),
                artifact.name());
    }

    /** Whether this can be kept as a media type. */
    public static boolean isMediaType(String text) {
        return text.length() <= LONGEST_MEDIA_TYPE && MEDIA_TYPE.matcher(text).matches();
    }

    // Whole characters that can be printed; half of a pair cannot even be written down.
    private static String clean(String name) {
        StringBuilder kept = new StringBuilder();
        name.codePoints()
                .map(letter -> Character.isISOControl(letter) || isHalf(letter) ? '_' : letter)
                .takeWhile(letter -> kept.length() + Character.charCount(letter) <= LONGEST_NAME)
                .forEachOrdered(kept::appendCodePoint);
        return kept.isEmpty() ? "artifact" : kept.toString();
    }

    private static boolean isHalf(int letter) {
        return letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE;
    }
}
