package dev.toolgate.store.audit.retention;

import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.CheckpointPublisher;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import dev.toolgate.store.checkpoint.MerkleTree;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.LongStatements;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chains that need a checkpoint: those of this process, from memory, and ended ones of other processes whose last
 * records have none, from the database, if they match the existing checkpoints.
 */
public final class CheckpointedChains implements CheckpointPublisher.Source {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointedChains.class);

    private final Jdbi jdbi;
    private final CheckpointFolder folder;
    private final Supplier<List<TreeHead>> own;
    private final Set<UUID> disputed = new HashSet<>();
    /** Chains that had ended without a checkpoint at the last poll, which the next poll checks again. */
    private Set<UUID> unsigned = Set.of();

    private OffsetDateTime lookedAt = OffsetDateTime.MIN;
    private final List<String> mismatches = new CopyOnWriteArrayList<>();

    /**
     * Chains of this process and of earlier ones.
     *
     * @param own the heads of this process
     */
    public CheckpointedChains(Jdbi jdbi, CheckpointFolder folder, Supplier<List<TreeHead>> own) {
        this.jdbi = jdbi;
        this.folder = folder;
        this.own = own;
    }

    @Override
    public List<TreeHead> heads() {
        List<TreeHead> heads = new ArrayList<>(own.get());
        Set<UUID> known = new HashSet<>(disputed);
        heads.forEach(head -> known.add(head.chain()));
        try {
            for (Ended chain : ended()) {
                if (!known.contains(chain.id)) {
                    TreeHead head = head(chain);
                    if (head != null) {
                        heads.add(head);
                    }
                }
            }
        } catch (RuntimeException unreachable) {
            LOG.debug("Chains of other instances could not be read; retried later", unreachable);
        }
        return heads;
    }

    @Override
    public boolean markPublished(TreeHead head) {
        try {
            jdbi.useHandle(handle -> handle.createUpdate("""
                            INSERT INTO audit_checkpoints (instance_id, sequence) VALUES (:chain, :sequence)
                            ON CONFLICT (instance_id) DO UPDATE SET sequence = excluded.sequence,
                                published_at = CURRENT_TIMESTAMP
                            WHERE audit_checkpoints.sequence < excluded.sequence""")
                    .bind("chain", head.chain())
                    .bind("sequence", head.size())
                    .execute());
            return true;
        } catch (RuntimeException unreachable) {
            LOG.debug("A published checkpoint could not be marked in the database; retried later", unreachable);
            return false;
        }
    }

    /** Descriptions of chains that were not signed because the database contradicts a checkpoint. */
    public List<String> mismatches() {
        return List.copyOf(mismatches);
    }

    private record Ended(UUID id, long last, @Nullable MerkleTree pruned) {}

    private synchronized List<Ended> ended() {
        return jdbi.withHandle(handle -> {
            OffsetDateTime next = handle.createQuery("SELECT CURRENT_TIMESTAMP - interval '1 minute'")
                    .mapTo(OffsetDateTime.class)
                    .one();
            List<Ended> found = handle.createQuery("""
                            SELECT i.instance_id, i.last_sequence, i.pruned_sequence, i.pruned_tree
                            FROM audit_instances i LEFT JOIN audit_checkpoints c USING (instance_id)
                            WHERE (i.ended_at > :since OR i.instance_id = ANY (:unsigned::uuid[]))
                              AND i.ended_at IS NOT NULL AND i.last_sequence > coalesce(c.sequence, 0)
                            ORDER BY i.number""")
                    .bind("since", lookedAt)
                    .bindArray("unsigned", UUID.class, unsigned)
                    .map((row, _) -> new Ended(
                            row.getObject(1, UUID.class),
                            row.getLong(2),
                            Pruning.tree(row.getLong(3), row.getArray(4))))
                    .list();
            unsigned = found.stream().map(Ended::id).collect(Collectors.toSet());
            lookedAt = next;
            return found;
        });
    }

    private @Nullable TreeHead head(Ended chain) {
        MerkleTree tree = chain.pruned;
        if (tree == null) {
            boolean _ =
                    markPublished(new TreeHead(chain.id, chain.last, "")); // older than checkpoints, and partly removed
            return null;
        }
        for (Map.Entry<Long, String> checkpoint :
                known(chain.id).roots(chain.id).entrySet()) {
            if (checkpoint.getKey() <= tree.size()) {
                continue;
            }
            tree = checkpoint.getKey() > chain.last ? null : extended(chain.id, tree, checkpoint.getKey());
            if (tree == null || !root(tree).equals(checkpoint.getValue())) {
                return dispute(
                        chain.id, "does not match the checkpoint over its first " + checkpoint.getKey() + " records");
            }
        }
        tree = extended(chain.id, tree, chain.last);
        return tree == null
                ? dispute(chain.id, "has gaps in its " + chain.last + " records")
                : new TreeHead(chain.id, tree.size(), root(tree));
    }

    private @Nullable MerkleTree extended(UUID chain, MerkleTree tree, long to) {
        return jdbi.inTransaction(handle -> {
            LongStatements.allow(handle);
            return Pruning.extended(handle, chain, tree, to);
        });
    }

    private KnownCheckpoints known(UUID chain) {
        try {
            KnownCheckpoints known = new KnownCheckpoints(folder.keys());
            folder.read(chain, known::add);
            return known;
        } catch (IOException unreadable) {
            throw new IllegalStateException("The checkpoint folder cannot be read.", unreadable);
        }
    }

    private @Nullable TreeHead dispute(UUID chain, String how) {
        disputed.add(chain);
        mismatches.add("chain " + chain + " " + how);
        LOG.error(
                "AUDIT ALARM: the audit log in the database was modified: chain {} {}; it is not signed. Run"
                        + " 'toolgate audit verify'",
                chain,
                how);
        return null;
    }

    private static String root(MerkleTree tree) {
        return Base64.getEncoder().encodeToString(tree.root());
    }
}
