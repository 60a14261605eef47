package dev.toolgate.server.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.identity.LoginOwner;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Maps the groups of a person to a role. The first entry with one of the groups applies; a person without an entry has
 * no role and cannot log in.
 *
 * @param issuer the issuer of the people; null if people cannot log in
 */
public record GroupRoles(@Nullable String issuer, List<Entry> entries) {
    /** No entries: nobody has a role. */
    public static final GroupRoles NONE = new GroupRoles(null, List.of());

    public GroupRoles {
        entries = List.copyOf(entries);
    }

    /**
     * The role of one group.
     *
     * @param agents that members chat as; for the role user
     */
    public record Entry(String group, TenantId tenant, Role role, Set<AgentId> agents) {
        public Entry {
            agents = Set.copyOf(agents);
        }
    }

    /** Those of the groups that have an entry. */
    Set<String> counting(Set<String> groups) {
        return entries.stream().map(Entry::group).filter(groups::contains).collect(Collectors.toUnmodifiableSet());
    }

    /** The entry that applies. */
    Optional<Entry> first(Set<String> groups) {
        return entries.stream().filter(entry -> groups.contains(entry.group())).findFirst();
    }

    /** The current principal of a person; empty if the person no longer has a role in the tenant of the log-in. */
    Optional<Principal> principal(LoginOwner.OfPerson owner) {
        if (!owner.person().issuer().equals(issuer)) {
            return Optional.empty();
        }
        return first(owner.groups())
                .filter(entry -> entry.tenant().equals(owner.tenant()))
                .map(entry -> new Principal(
                        entry.tenant(), entry.role(), owner.person().name(), null, agents(entry, owner.groups())));
    }

    // A person may be in several groups of users, each with agents of its own.
    private Set<AgentId> agents(Entry counting, Set<String> groups) {
        Set<AgentId> agents = new HashSet<>();
        if (counting.role() == Role.USER) {
            entries.stream()
                    .filter(entry -> groups.contains(entry.group())
                            && entry.role() == Role.USER
                            && entry.tenant().equals(counting.tenant()))
                    .forEach(entry -> agents.addAll(entry.agents()));
        }
        return agents;
    }
}
