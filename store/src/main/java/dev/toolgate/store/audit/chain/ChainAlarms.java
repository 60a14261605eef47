package dev.toolgate.store.audit.chain;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chains of this process that somebody else has changed in the database. For any thread. */
public final class ChainAlarms {
    private static final Logger LOG = LoggerFactory.getLogger(ChainAlarms.class);

    private final List<Alarm> alarms = new CopyOnWriteArrayList<>();

    /**
     * A chain that does not end where its writer left it.
     *
     * @param remembered the last record that was written
     * @param found the last record that the database knows of; {@code null} if it knows no such chain
     */
    public record Alarm(
            UUID chain, long remembered, @Nullable Long found) {
        @Override
        public String toString() {
            return "chain " + chain + " ended at record " + remembered + ", and in the database "
                    + (found == null ? "there is no such chain" : "at record " + found);
        }
    }

    /** Once for each chain. */
    public void raise(OwnChain chain, @Nullable Long found) {
        if (concern(chain)) {
            return;
        }
        Alarm alarm = new Alarm(chain.id(), chain.lastSequence(), found);
        alarms.add(alarm);
        LOG.error(
                "AUDIT ALARM: somebody has changed the audit log in the database: {}; a new chain is begun. Run 'toolgate"
                        + " audit verify' and compare with the checkpoints",
                alarm);
    }

    public boolean concern(OwnChain chain) {
        return alarms.stream().anyMatch(alarm -> alarm.chain().equals(chain.id()));
    }

    /** All of them, the first one first. */
    public List<Alarm> all() {
        return List.copyOf(alarms);
    }
}
