package dev.toolgate.store.instance;

import java.time.Instant;
import java.util.Map;

/**
 * A gate that runs on the database.
 *
 * @param places by name of the place (workspace, artifacts), what identifies it: two gates with the same identity see the
 *     same files there
 */
public record GateInstance(String host, long processId, Instant startedAt, Map<String, String> places) {
    public GateInstance {
        places = Map.copyOf(places);
    }

    /** The gate in this process, starting now. */
    public static GateInstance here(String host, Map<String, String> places) {
        return new GateInstance(host, ProcessHandle.current().pid(), Instant.now(), places);
    }
}
