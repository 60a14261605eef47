package dev.toolgate.core.artifact;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes blobs that no artifact refers to, left behind by interrupted uploads and deletions. */
public final class OrphanedBlobs {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanedBlobs.class);

    private final Blobs blobs;
    private final ArtifactIndex index;

    public OrphanedBlobs(Blobs blobs, ArtifactIndex index) {
        this.blobs = blobs;
        this.index = index;
    }

    /**
     * Removes orphans stored before this time.
     *
     * @param before far enough in the past that every upload from before it has been indexed or has failed
     * @return how many were removed
     */
    public long remove(Instant before) throws IOException {
        long[] removed = {0};
        blobs.removeUnfinished(before);
        blobs.forEachStoredBefore(before, places -> removed[0] += remove(places));
        if (removed[0] > 0) {
            LOG.info("Removed {} orphaned blobs", removed[0]);
        }
        return removed[0];
    }

    private int remove(List<String> places) throws IOException {
        Set<String> orphans = new HashSet<>(places);
        orphans.removeAll(index.named(places));
        for (String place : orphans) {
            blobs.delete(place);
        }
        return orphans.size();
    }
}
