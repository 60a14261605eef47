package dev.toolgate.server.admin.directory;

import dev.toolgate.store.grant.GroupSummary;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A group in a list. */
record GroupAnswer(String groupId, @Nullable String description, int memberCount, Instant createdAt) {

    static GroupAnswer of(GroupSummary group) {
        return new GroupAnswer(group.groupId(), group.description(), group.members(), group.createdAt());
    }
}
