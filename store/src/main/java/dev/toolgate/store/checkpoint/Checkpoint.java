package dev.toolgate.store.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A signed note about a chain in the C2SP checkpoint format: its origin is the chain, followed by the
 * number of its records and the root of the Merkle tree over their hashes.
 *
 * @param kind whether the records exist, or are removed by retention
 * @param note the complete signed note
 */
public record Checkpoint(Kind kind, TreeHead head, String note) {
    private static final String DASH = "\u2014 ";
    private static final String PRUNED = "/pruned";
    private static final int MAX_SIGNATURES = 16;
    private static final Pattern TEXT = Pattern.compile(
            "(\\S{1,300})/([0-9a-f-]{36})(" + PRUNED + ")?\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n");

    /** The state of the records up to a size. */
    public enum Kind {
        /** They are in the log. */
        HEAD,
        /** They were in the log, and retention removes them. */
        PRUNED
    }

    /** Signs the head of a chain; the origin is the name of the key and the chain. */
    public static Checkpoint sign(Kind kind, TreeHead head, SigningKey key) {
        VerifierKey verifier = key.verifier();
        String text = verifier.name() + "/" + head.chain() + (kind == Kind.PRUNED ? PRUNED : "") + "\n" + head.size()
                + "\n" + head.root() + "\n";
        byte[] signature = key.sign(text.getBytes(StandardCharsets.UTF_8));
        byte[] labelled = Arrays.copyOf(verifier.idBytes(), VerifierKey.ID_BYTES + signature.length);
        System.arraycopy(signature, 0, labelled, VerifierKey.ID_BYTES, signature.length);
        return new Checkpoint(
                kind,
                head,
                text + "\n" + DASH + verifier.name() + " " + Base64.getEncoder().encodeToString(labelled) + "\n");
    }

    /** Parses a note without checking signatures; empty if it is not a checkpoint of an audit chain. */
    public static Optional<Checkpoint> read(String note) {
        int blank = note.lastIndexOf("\n\n");
        Matcher text = TEXT.matcher(blank < 0 ? "" : note.substring(0, blank + 1));
        if (!text.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Checkpoint(
                    text.group(3) == null ? Kind.HEAD : Kind.PRUNED,
                    new TreeHead(UUID.fromString(text.group(2)), Long.parseLong(text.group(4)), text.group(5)),
                    note));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Whether it has a valid signature of one of these keys, and no invalid one. */
    public boolean isSignedBy(Collection<VerifierKey> keys) {
        int blank = note.lastIndexOf("\n\n");
        byte[] text = note.substring(0, blank + 1).getBytes(StandardCharsets.UTF_8);
        List<String> lines = note.substring(blank + 2).lines().toList();
        if (lines.size() > MAX_SIGNATURES) {
            return false;
        }
        boolean signed = false;
        for (String line : lines) {
            byte @Nullable [] labelled = signature(line);
            if (labelled == null) {
                return false;
            }
            String name = line.substring(DASH.length(), line.lastIndexOf(' '));
            for (VerifierKey key : keys) {
                if (key.name().equals(name)
                        && Arrays.equals(key.idBytes(), Arrays.copyOf(labelled, VerifierKey.ID_BYTES))) {
                    if (!key.verifies(text, Arrays.copyOfRange(labelled, VerifierKey.ID_BYTES, labelled.length))) {
                        return false;
                    }
                    signed = true;
                }
            }
        }
        return signed;
    }

    private static byte @Nullable [] signature(String line) {
        int space = line.lastIndexOf(' ');
        if (!line.startsWith(DASH) || space <= DASH.length()) {
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(line.substring(space + 1));
            return bytes.length > VerifierKey.ID_BYTES ? bytes : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
