package dev.toolgate.core.artifact;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes bytes that no artifact names, which is what interrupted work leaves. */
public final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final Blobs blobs;
    private final ArtifactIndex index;

    public Orphans(Blobs blobs, ArtifactIndex index) {
        this.blobs = blobs;
        this.index = index;
    }

    /**
     * Removes what was stored before this time and has no name.
     *
     * @param before so long ago that whoever stored it then has put it on the list by now, or never will
     * @return how many there were
     */
    public long remove(Instant before) throws IOException {
        long[] removed = {0};
        blobs.removeUnfinished(before);
        blobs.eachBefore(before, places -> removed[0] += remove(places));
        if (removed[0] > 0) {
            LOG.info("Removed the bytes of {} artifacts that were never finished", removed[0]);
        }
        return removed[0];
    }

    private int remove(List<String> places) throws IOException {
        Set<String> nameless = new HashSet<>(places);
        nameless.removeAll(index.named(places));
        for (String place : nameless) {
            blobs.delete(place);
        }
        return nameless.size();
    }
}
