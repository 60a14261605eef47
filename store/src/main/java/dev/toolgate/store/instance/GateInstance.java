package dev.toolgate.store.instance;

import java.time.Instant;
import java.util.Map;

/**
 * A gate that uses the database.
 *
 * @param places the identity of each file location (workspace, artifacts), by name: gates with the same identity share
 *     the same files
 */
public record GateInstance(String host, long processId, Instant startedAt, Map<String, String> places) {
    public GateInstance {
        places = Map.copyOf(places);
    }

    /** The gate in this process, started now. */
    public static GateInstance here(String host, Map<String, String> places) {
        return new GateInstance(host, ProcessHandle.current().pid(), Instant.now(), places);
    }
}
