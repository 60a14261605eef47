package dev.toolgate.server.identity;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What somebody is, and so what they may do. */
public enum Role {
    ADMIN(EnumSet.complementOf(EnumSet.of(Right.CALL_AS_ITSELF))),
    OPERATOR(EnumSet.of(Right.READ_PERMISSIONS, Right.CHANGE_PERMISSIONS, Right.ANSWER_APPROVALS, Right.READ_AUDIT)),
    AUDITOR(EnumSet.of(Right.READ_PERMISSIONS, Right.READ_AUDIT)),
    ORCHESTRATOR(EnumSet.of(Right.CALL_FOR_ANY_AGENT, Right.READ_PERMISSIONS)),
    AGENT(EnumSet.of(Right.CALL_AS_ITSELF));

    private final Set<Right> rights;

    Role(Set<Right> rights) {
        this.rights = rights;
    }

    /** Whether this role includes a right. */
    public boolean may(Right right) {
        return rights.contains(right);
    }

    /** The name as it is stored and sent, for example {@code operator}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this wire name. */
    public static Optional<Role> of(String wireName) {
        for (Role role : values()) {
            if (role.wireName().equals(wireName)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
