package dev.toolgate.store.audit.chain;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Alarms about chains of this process that were modified in the database from outside. Thread-safe. */
public final class ChainAlarms {
    private static final Logger LOG = LoggerFactory.getLogger(ChainAlarms.class);

    private final List<Alarm> alarms = new CopyOnWriteArrayList<>();

    /**
     * A chain whose head in the database is not the one its writer remembers.
     *
     * @param remembered the sequence of the last record that was written
     * @param found the last sequence in the database; {@code null} if the chain is missing there
     */
    public record Alarm(
            UUID chain, long remembered, @Nullable Long found) {
        @Override
        public String toString() {
            return "chain " + chain + " ended at record " + remembered + ", but in the database it "
                    + (found == null ? "does not exist" : "ends at record " + found);
        }
    }

    /** Raises an alarm, at most once per chain. */
    public void raise(OwnChain chain, @Nullable Long found) {
        if (hasAlarm(chain)) {
            return;
        }
        Alarm alarm = new Alarm(chain.id(), chain.lastSequence(), found);
        alarms.add(alarm);
        LOG.error(
                "AUDIT ALARM: the audit log in the database was modified: {}; a new chain is started. Run 'toolgate"
                        + " audit verify' and compare with the checkpoints",
                alarm);
    }

    public boolean hasAlarm(OwnChain chain) {
        return alarms.stream().anyMatch(alarm -> alarm.chain().equals(chain.id()));
    }

    /** All alarms, oldest first. */
    public List<Alarm> all() {
        return List.copyOf(alarms);
    }
}
