package dev.toolgate.core.redact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The secrets of the accounts at one MCP server: the current ones of each and those before, which a call that was
 * started with them may still return. They have no shapes: a server that chose its tokens could hide any word of its
 * calls from approvers and from the record.
 */
final class ServerSecrets {
    /** Room for two generations of two tokens of 1,000 characters of 6,000 accounts; a server fills only its own. */
    static final long MAX_CHARACTERS = 32L << 20;

    /** What an owner costs besides the characters of its secrets. */
    private static final int OVERHEAD = 1_000;

    private final Map<String, Owned> current = new ConcurrentHashMap<>();
    /**
     * The owners in the order in which they are evicted. One that was used since it was last at the front goes to the
     * end once instead (second-chance eviction).
     */
    private final LinkedHashMap<String, Owned> order = new LinkedHashMap<>();

    private long characters;
    private volatile SecretFinder finder = SecretFinder.NONE;

    SecretFinder finder() {
        return finder;
    }

    void learn(String owner, List<String> secrets) {
        Owned known = current.get(owner);
        if (known != null && known.secrets.equals(secrets)) {
            known.used = true;
        } else {
            add(owner, secrets);
        }
    }

    private synchronized void add(String owner, List<String> secrets) {
        Owned old = current.get(owner);
        if (old != null && old.secrets.equals(secrets)) {
            return;
        }
        Owned next = new Owned(secrets, old == null ? List.of() : old.secrets);
        current.put(owner, next);
        order.remove(owner);
        characters += next.characters() - (old == null ? 0 : old.characters());
        List<String> dropped = new ArrayList<>(old == null ? List.of() : old.previous);
        while (characters > MAX_CHARACTERS && !order.isEmpty()) {
            dropped.addAll(withoutFirst());
        }
        order.putLast(owner, next);
        finder = finder.with(secrets).without(dropped);
    }

    // An owner that was used since it was last at the front may be in use, perhaps by a call that is running.
    private List<String> withoutFirst() {
        Map.Entry<String, Owned> first = order.pollFirstEntry();
        Owned owned = first.getValue();
        if (owned.used) {
            owned.used = false;
            order.putLast(first.getKey(), owned);
            return List.of();
        }
        current.remove(first.getKey());
        characters -= owned.characters();
        return owned.all();
    }

    private static final class Owned {
        private final List<String> secrets;
        private final List<String> previous;
        private volatile boolean used;

        Owned(List<String> secrets, List<String> previous) {
            this.secrets = List.copyOf(secrets);
            this.previous = previous;
        }

        List<String> all() {
            List<String> all = new ArrayList<>(secrets);
            all.addAll(previous);
            return all;
        }

        long characters() {
            return OVERHEAD + all().stream().mapToLong(String::length).sum();
        }
    }
}
