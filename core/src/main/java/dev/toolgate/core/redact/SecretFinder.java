package dev.toolgate.core.redact;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds given secrets in a text in one pass. Immutable; a finder with one secret more or less shares nearly all of its
 * nodes with this one.
 *
 * <p>The secrets form a tree by their beginnings, so that at each position of a text no more characters are compared
 * than the longest beginning of a secret there has, however many secrets there are. That is about one character for
 * each of the text unless a secret repeats itself, such as a long row of one letter, which an MCP server may choose as
 * a token; so the work has a limit. Secrets that do not repeat themselves cannot reach it in any text, so it reveals
 * nothing about them.
 */
final class SecretFinder {
    static final SecretFinder NONE = new SecretFinder(SecretNode.ROOT, 0);

    private static final int ASCII = 128;

    private final SecretNode root;
    private final @Nullable SecretNode[] byFirst = new SecretNode[ASCII];
    /** No secret is longer. */
    private final int maxLength;

    private SecretFinder(SecretNode root, int maxLength) {
        this.root = root;
        this.maxLength = maxLength;
        root.children().forEach(child -> {
            if (child.first() < ASCII) {
                byFirst[child.first()] = child;
            }
        });
    }

    static SecretFinder of(Collection<String> secrets) {
        SecretNode root = SecretNode.ROOT;
        int maxLength = 0;
        for (String secret : secrets) {
            root = secret.isEmpty() ? root : root.with(secret);
            maxLength = Math.max(maxLength, secret.length());
        }
        return new SecretFinder(root, maxLength);
    }

    /** This and these; a secret that is added twice has to be removed twice. */
    SecretFinder with(Collection<String> added) {
        SecretNode next = root;
        int length = maxLength;
        for (String secret : added) {
            next = next.with(secret);
            length = Math.max(length, secret.length());
        }
        return new SecretFinder(next, length);
    }

    SecretFinder without(Collection<String> removed) {
        SecretNode next = root;
        for (String secret : removed) {
            next = next.without(secret);
        }
        return new SecretFinder(next, maxLength);
    }

    boolean contains(String secret) {
        return root.contains(secret);
    }

    /** Each secret once. */
    List<String> secrets() {
        List<String> all = new ArrayList<>();
        root.anySecret(secret -> {
            all.add(secret);
            return false;
        });
        return all;
    }

    boolean isEmpty() {
        return root.children().isEmpty();
    }

    /** Masks the secrets that pass the predicate, completely even where they overlap. */
    void find(String text, Predicate<String> counts, Masks masks) {
        if (isEmpty()) {
            return;
        }
        StepLimit limit = new StepLimit(text);
        int start = 0;
        int end = 0;
        for (int at = 0; at < text.length(); at++) {
            int endHere = longestAt(text, at, counts, limit);
            if (limit.isExceeded()) {
                masks.add(0, text.length());
                return;
            }
            if (endHere > end) {
                if (at > end) {
                    masks.add(start, end);
                    start = at;
                }
                end = endHere;
            }
        }
        masks.add(start, end);
    }

    /** The end of the longest secret that begins here and passes the predicate; the position itself if there is none. */
    private int longestAt(String text, int at, Predicate<String> counts, StepLimit limit) {
        int end = at;
        int position = at;
        SecretNode node = first(text.charAt(at));
        while (node != null) {
            int common = node.commonLength(text, position);
            position += common;
            if (!limit.take(common) || common < node.length()) {
                break;
            }
            String secret = node.secret();
            if (secret != null && counts.test(secret)) {
                end = position;
            }
            node = position < text.length() ? node.child(text.charAt(position)) : null;
        }
        return end;
    }

    private @Nullable SecretNode first(char letter) {
        return letter < ASCII ? byFirst[letter] : root.child(letter);
    }

    /** How many characters at the end of a text could start one of them; too many if that takes too long to find out. */
    int beginningAtEnd(String text, Predicate<String> counts) {
        int from = Math.max(0, text.length() - Math.max(0, maxLength - 1));
        StepLimit limit = new StepLimit(text);
        for (int at = from; at < text.length(); at++) {
            if (canBeginAt(text, at, counts, limit) || limit.isExceeded()) {
                return text.length() - (limit.isExceeded() ? from : at);
            }
        }
        return 0;
    }

    private boolean canBeginAt(String text, int at, Predicate<String> counts, StepLimit limit) {
        int position = at;
        SecretNode node = first(text.charAt(at));
        while (node != null) {
            int common = node.commonLength(text, position);
            position += common;
            if (!limit.take(common)) {
                return false;
            }
            if (position == text.length()) {
                Predicate<String> longer = secret -> secret.length() > text.length() - at;
                return node.anySecret(
                        secret -> !limit.take(1) || longer.and(counts).test(secret));
            }
            node = common < node.length() ? null : node.child(text.charAt(position));
        }
        return false;
    }
}
