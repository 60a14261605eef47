package dev.toolgate.store.audit.write;

import java.util.List;

/**
 * The rows of a batch that is written in one round trip.
 *
 * @param claiming items that take their keys
 * @param permits intents of calls that their callers run, with the keys that they take
 * @param completed keys that calls have taken before, and their outcomes
 * @param reported keys of permits whose outcome was reported
 * @param closed the numbers of intents whose calls have ended
 * @param calls the records to append to the chain
 */
record BatchRows(
        List<AuditItem> claiming,
        List<AuditItem.Intended> permits,
        List<KeyOutcome> completed,
        List<KeyOutcome> reported,
        List<AuditItem.Intended> intents,
        List<Long> closed,
        List<AuditItem.Ended> calls) {}
