package dev.toolgate.core.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A principal's role, which determines its rights. */
public enum Role {
    ADMIN,
    OPERATOR,
    AUDITOR,
    ORCHESTRATOR,
    AGENT,
    /** A person who chats as certain agents, approves calls in these conversations and reads their results. */
    USER;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Whether this role includes a right. */
    public boolean may(Right right) {
        return switch (this) {
            case ADMIN ->
                right != Right.CALL_AS_ITSELF
                        && right != Right.CHAT_AS_NAMED_AGENTS
                        && right != Right.ANSWER_OWN_QUESTIONS;
            case OPERATOR ->
                switch (right) {
                    case READ_PERMISSIONS,
                            CHANGE_PERMISSIONS,
                            MANAGE_SESSIONS,
                            ANSWER_APPROVALS,
                            READ_AGENT_AUDIT,
                            READ_AUDIT,
                            UNDO_CHANGES,
                            LIST_ARTIFACTS,
                            READ_ARTIFACTS,
                            SEE_ALL_ARTIFACTS,
                            WRITE_ARTIFACTS -> true;
                    case CALL_AS_ITSELF,
                            CALL_FOR_ANY_AGENT,
                            CHAT_AS_NAMED_AGENTS,
                            ANSWER_OWN_QUESTIONS,
                            READ_WHOLE_AUDIT,
                            MANAGE_KEYS,
                            MANAGE_SERVERS,
                            MANAGE_TENANTS -> false;
                };
            case AUDITOR ->
                right == Right.READ_PERMISSIONS
                        || right == Right.READ_AGENT_AUDIT
                        || right == Right.READ_AUDIT
                        || right == Right.READ_WHOLE_AUDIT
                        || right == Right.LIST_ARTIFACTS
                        || right == Right.SEE_ALL_ARTIFACTS;
            case ORCHESTRATOR ->
                right == Right.CALL_FOR_ANY_AGENT
                        || right == Right.READ_PERMISSIONS
                        || right == Right.MANAGE_SESSIONS
                        || right == Right.READ_AGENT_AUDIT
                        || right == Right.SEE_ALL_ARTIFACTS
                        || isOfArtifacts(right);
            case AGENT -> right == Right.CALL_AS_ITSELF || isOfArtifacts(right);
            case USER ->
                right == Right.CHAT_AS_NAMED_AGENTS
                        || right == Right.ANSWER_OWN_QUESTIONS
                        || right == Right.LIST_ARTIFACTS
                        || right == Right.READ_ARTIFACTS;
        };
    }

    private static boolean isOfArtifacts(Right right) {
        return right == Right.LIST_ARTIFACTS || right == Right.READ_ARTIFACTS || right == Right.WRITE_ARTIFACTS;
    }

    /** The name as it is stored and sent, for example {@code operator}. */
    public String wireName() {
        return wireName;
    }

    /** All wire names, for messages. */
    public static String wireNames() {
        return Arrays.stream(values()).map(Role::wireName).collect(Collectors.joining(", "));
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
