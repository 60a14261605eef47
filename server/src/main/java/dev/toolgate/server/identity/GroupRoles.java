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
 * Which role the groups of a person give. The first entry that names one of them counts; a person whom none names has no
 * role and cannot log in.
 *
 * @param issuer whose people these are; null if people do not log in
 */
public record GroupRoles(@Nullable String issuer, List<Entry> entries) {
    /** Nobody has a role. */
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

    /** Those of the groups that are named in an entry. */
    Set<String> counting(Set<String> groups) {
        return entries.stream().map(Entry::group).filter(groups::contains).collect(Collectors.toUnmodifiableSet());
    }

    /** The entry that counts. */
    Optional<Entry> first(Set<String> groups) {
        return entries.stream().filter(entry -> groups.contains(entry.group())).findFirst();
    }

    /** Who a person is now; empty if the person, or the tenant of the log-in, has lost the role since. */
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
