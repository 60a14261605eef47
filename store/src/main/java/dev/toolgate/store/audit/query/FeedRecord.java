package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.AuditRecord;

/**
 * A record of a feed.
 *
 * @param after the position of the feed after it
 */
record FeedRecord(AuditRecord record, FeedPosition after) {}
