package dev.toolgate.core.redact;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Node of an immutable tree of secrets by their beginnings (a radix tree). Adding and removing copy only the nodes on
 * the path. Nothing is recursive: secrets that an MCP server has chosen can make the tree as deep as they are long.
 */
final class SecretNode {
    static final SecretNode ROOT = new SecretNode("", null, 0, List.of());

    /** The characters after those of the parent; empty for the root only. */
    private final String label;

    private final @Nullable String secret;
    /** How often the secret was added. */
    private final int times;
    /** Sorted by first character; no two begin alike. */
    private final List<SecretNode> children;

    private SecretNode(String label, @Nullable String secret, int times, List<SecretNode> children) {
        this.label = label;
        this.secret = secret;
        this.times = times;
        this.children = children;
    }

    /** The secret that ends here; null if only longer ones pass through. */
    @Nullable
    String secret() {
        return secret;
    }

    List<SecretNode> children() {
        return children;
    }

    char first() {
        return label.charAt(0);
    }

    int length() {
        return label.length();
    }

    /** How many characters the label has in common with the text at this position. */
    int commonLength(String text, int position) {
        int max = Math.min(label.length(), text.length() - position);
        int length = 0;
        while (length < max && label.charAt(length) == text.charAt(position + length)) {
            length++;
        }
        return length;
    }

    /** The child whose label begins with this character. */
    @Nullable
    SecretNode child(char letter) {
        int index = indexOf(letter);
        return index < 0 ? null : children.get(index);
    }

    private int indexOf(char letter) {
        int low = 0;
        int high = children.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int difference = children.get(middle).first() - letter;
            if (difference == 0) {
                return middle;
            }
            if (difference < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    boolean contains(String wanted) {
        return path(wanted).getLast().endsWith(wanted);
    }

    private boolean endsWith(String wanted) {
        return wanted.equals(secret);
    }

    /** The nodes from this root whose labels are completely in the secret. */
    private List<SecretNode> path(String wanted) {
        List<SecretNode> path = new ArrayList<>();
        SecretNode node = this;
        int at = 0;
        while (node != null && node.commonLength(wanted, at) == node.length()) {
            path.add(node);
            at += node.length();
            node = at < wanted.length() ? node.child(wanted.charAt(at)) : null;
        }
        return path;
    }

    /** The tree with this secret, which is not empty. */
    SecretNode with(String added) {
        List<SecretNode> path = path(added);
        int at = path.stream().mapToInt(SecretNode::length).sum();
        SecretNode end = path.removeLast();
        return replaced(path, at == added.length() ? end.counted(added, end.times + 1) : end.withBelow(added, at));
    }

    private SecretNode withBelow(String added, int at) {
        SecretNode old = child(added.charAt(at));
        if (old == null) {
            return withChild(leaf(added, at));
        }
        int common = old.commonLength(added, at);
        SecretNode fork = new SecretNode(
                old.label.substring(0, common), null, 0, List.of(old.labelled(old.label.substring(common))));
        return withChild(
                at + common == added.length() ? fork.counted(added, 1) : fork.withChild(leaf(added, at + common)));
    }

    private static SecretNode leaf(String secret, int from) {
        return new SecretNode(secret.substring(from), secret, 1, List.of());
    }

    /** The tree without this secret, if it was not added more often. */
    SecretNode without(String removed) {
        List<SecretNode> path = path(removed);
        SecretNode end = path.removeLast();
        if (!end.endsWith(removed)) {
            return this;
        }
        return replaced(path, end.times > 1 ? end.counted(removed, end.times - 1) : end.counted(null, 0));
    }

    private static SecretNode replaced(List<SecretNode> parents, SecretNode changed) {
        SecretNode node = changed;
        for (SecretNode parent : parents.reversed()) {
            node = node.isUnused() ? parent.withoutChild(node) : parent.withChild(node.joined());
        }
        return node;
    }

    private boolean isUnused() {
        return secret == null && children.isEmpty();
    }

    /** With its only child, if no secret ends in between. */
    private SecretNode joined() {
        if (secret != null || children.size() != 1) {
            return this;
        }
        SecretNode only = children.getFirst();
        return only.labelled(label + only.label);
    }

    private SecretNode counted(@Nullable String newSecret, int newTimes) {
        return new SecretNode(label, newSecret, newTimes, children);
    }

    private SecretNode labelled(String newLabel) {
        return new SecretNode(newLabel, secret, times, children);
    }

    /** With a child in place of the one that begins alike. */
    private SecretNode withChild(SecretNode child) {
        List<SecretNode> changed = new ArrayList<>(children);
        int index = indexOf(child.first());
        if (index < 0) {
            changed.add(-index - 1, child);
        } else {
            changed.set(index, child);
        }
        return new SecretNode(label, secret, times, List.copyOf(changed));
    }

    private SecretNode withoutChild(SecretNode child) {
        List<SecretNode> changed = new ArrayList<>(children);
        changed.remove(indexOf(child.first()));
        return new SecretNode(label, secret, times, List.copyOf(changed));
    }

    /** Whether a secret that ends here or below passes the test. */
    boolean anySecret(Predicate<String> test) {
        Deque<SecretNode> open = new ArrayDeque<>(List.of(this));
        while (!open.isEmpty()) {
            SecretNode node = open.removeLast();
            if (node.secret != null && test.test(node.secret)) {
                return true;
            }
            open.addAll(node.children);
        }
        return false;
    }
}
