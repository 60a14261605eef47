package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of an artifact to be stored. Names and media types may come from outside, so values that cannot be stored or
 * sent are replaced.
 *
 * @param agent who made it; {@code null} if no agent did
 * @param session the session it is made in; {@code null} if it is made in none
 * @param principal the key or token that made the call; {@code null} if not known
 * @param request the call that makes it; {@code null} if none does
 */
public record NewArtifact(
        TenantId tenant,
        WorkspaceId workspace,
        @Nullable AgentId agent,
        @Nullable SessionId session,
        @Nullable String principal,
        @Nullable RequestId request,
        String kind,
        String mediaType,
        String name) {
    /** The media type of unknown content. */
    public static final String UNKNOWN_TYPE = "application/octet-stream";

    private static final String TOKEN = "[A-Za-z0-9!#$&^_.+-]{1,60}";
    private static final Pattern MEDIA_TYPE = Pattern.compile(
            TOKEN + "/" + TOKEN + "( ?; ?" + TOKEN + "=(" + TOKEN + "|\"[A-Za-z0-9 !#-\\[\\]-~]{0,60}\")){0,4}");
    private static final Pattern KIND = Pattern.compile("[a-z0-9_]{1,100}");
    private static final int MAX_MEDIA_TYPE_LENGTH = 200;
    private static final int MAX_NAME_LENGTH = 255;

    public NewArtifact {
        kind = KIND.matcher(kind).matches() ? kind : "tool_output";
        mediaType = isMediaType(mediaType) ? mediaType : UNKNOWN_TYPE;
        name = clean(name);
    }

    /** An artifact that a call has made. */
    public static NewArtifact of(Caller owner, @Nullable RequestId request, Artifact artifact) {
        return new NewArtifact(
                owner.tenant(),
                owner.workspace(),
                owner.agent(),
                owner.session(),
                owner.principal(),
                request,
                artifact.kind(),
                artifact.mediaType(),
                artifact.name());
    }

    /** Whether this is an acceptable media type. */
    public static boolean isMediaType(String text) {
        return text.length() <= MAX_MEDIA_TYPE_LENGTH
                && MEDIA_TYPE.matcher(text).matches();
    }

    // Control characters and unpaired surrogates are replaced.
    private static String clean(String name) {
        StringBuilder kept = new StringBuilder();
        name.codePoints()
                .map(letter -> Character.isISOControl(letter) || isSurrogate(letter) ? '_' : letter)
                .takeWhile(letter -> kept.length() + Character.charCount(letter) <= MAX_NAME_LENGTH)
                .forEachOrdered(kept::appendCodePoint);
        return kept.isEmpty() ? "artifact" : kept.toString();
    }

    private static boolean isSurrogate(int letter) {
        return letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE;
    }
}
