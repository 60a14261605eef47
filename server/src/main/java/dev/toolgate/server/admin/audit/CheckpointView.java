package dev.toolgate.server.admin.audit;

import dev.toolgate.store.checkpoint.Checkpoint;
import dev.toolgate.store.checkpoint.CheckpointPublisher.PlaceState;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.VerifierKey;
import java.io.IOException;
import java.util.List;

/** What is known about the checkpoints of the audit log. */
public interface CheckpointView {

    /** All that can be read back from the places. */
    KnownCheckpoints known() throws IOException;

    /** The keys that sign them or have signed them. */
    List<VerifierKey> keys() throws IOException;

    /** The newest of each chain of this process. */
    List<Checkpoint> newest() throws IOException;

    /** How the places do; none if checkpoints are switched off. */
    List<PlaceState> places();
}
