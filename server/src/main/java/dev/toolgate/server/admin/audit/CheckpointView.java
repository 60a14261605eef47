package dev.toolgate.server.admin.audit;

import dev.toolgate.store.checkpoint.Checkpoint;
import dev.toolgate.store.checkpoint.CheckpointPublisher.StoreState;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.VerifierKey;
import java.io.IOException;
import java.util.List;

/** Read access to the checkpoints of the audit log. */
public interface CheckpointView {

    /** All checkpoints that can be read back from where they are stored. */
    KnownCheckpoints known() throws IOException;

    /** The keys that sign checkpoints or have signed them before. */
    List<VerifierKey> keys() throws IOException;

    /** The newest checkpoint of each chain of this process. */
    List<Checkpoint> newest() throws IOException;

    /** The state of each storage place; empty if checkpoints are disabled. */
    List<StoreState> places();
}
