package dev.toolgate.server.operate.siem;

import dev.toolgate.core.call.Unavailable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records a test adds; the cursor is their number. */
final class ListSource implements AuditSource {
    private final List<Item> items = new ArrayList<>();
    private boolean reachable = true;

    synchronized void add(int many) {
        for (int i = 0; i < many; i++) {
            int number = items.size() + 1;
            items.add(new Item("{\"n\":" + number + "}", Integer.toString(number)));
        }
    }

    synchronized void reachable(boolean now) {
        reachable = now;
    }

    @Override
    public synchronized List<Item> after(@Nullable String cursor, int max) {
        if (!reachable) {
            throw new Unavailable("The records cannot be read.", new IllegalStateException());
        }
        int from = cursor == null ? 0 : Integer.parseInt(cursor);
        return List.copyOf(items.subList(from, Math.min(items.size(), from + max)));
    }
}
