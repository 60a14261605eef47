package dev.toolgate.core.redact;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Replaces secrets: values under telling names, texts that look like well-known kinds of keys, and
 * the exact secrets it has been told about.
 */
public final class Redactor {
    public static final String MASK = "[redacted]";

    private static final Pattern TELLING_NAME = Pattern.compile(
            "(?i)(passw(or)?d|passphrase|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key"
                    + "|authorization|cookie|^auth$|^key$)");

    private static final List<Pattern> KINDS_OF_KEYS = List.of(
            Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\\s\\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)"),
            Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"),
            Pattern.compile("\\bgh[pousr]_[A-Za-z0-9]{20,}\\b"),
            Pattern.compile("\\bgithub_pat_[A-Za-z0-9_]{20,}\\b"),
            Pattern.compile("\\bsk-[A-Za-z0-9_-]{16,}"),
            Pattern.compile("\\bxox[abprs]-[A-Za-z0-9-]{10,}"),
            Pattern.compile("\\btg_[A-Za-z0-9_-]{16,}"),
            Pattern.compile("\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*"),
            Pattern.compile("(?i)(?<=\\b(?:bearer|basic)\\s)[A-Za-z0-9+/._~=-]{8,}"),
            Pattern.compile("(?<=://)[^/\\s:@]*:[^/\\s@]+(?=@)"),
            Pattern.compile("(?i)(?<=\\b(?:password|passwd|secret|token|api_key|apikey)[=:]\\s?)[^\\s&\"']{4,}"));

    private final Set<String> knownSecrets;

    private Redactor(Set<String> knownSecrets) {
        this.knownSecrets = Set.copyOf(knownSecrets);
    }

    /** By name and by kind. */
    public static Redactor standard() {
        return new Redactor(Set.of());
    }

    /** By name and by kind, and these very values wherever they appear. */
    public Redactor knowing(Set<String> secrets) {
        return new Redactor(secrets);
    }

    /** The text without the secrets it has been told about; for results, which must stay true otherwise. */
    public String hideKnown(String text) {
        String clean = text;
        for (String secret : knownSecrets) {
            if (!secret.isEmpty()) {
                clean = clean.replace(secret, MASK);
            }
        }
        return clean;
    }

    /** The text without anything that looks like a secret; for what is stored or logged. */
    public String clean(String text) {
        String clean = hideKnown(text);
        if (clean.length() < 8) {
            return clean;
        }
        for (Pattern kind : KINDS_OF_KEYS) {
            clean = kind.matcher(clean).replaceAll(MASK);
        }
        return clean;
    }

    /** A copy of the object without secrets. */
    public ObjectNode clean(ObjectNode object) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            copy.set(
                    field.getKey(),
                    isTelling(field.getKey()) ? JsonNodeFactory.instance.stringNode(MASK) : clean(field.getValue()));
        }
        return copy;
    }

    /** Whether a value under this name is a secret whatever it looks like. */
    public static boolean isTelling(String name) {
        return TELLING_NAME.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    private JsonNode clean(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> clean(object);
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> copy.add(clean(item)));
                yield copy;
            }
            case StringNode text -> JsonNodeFactory.instance.stringNode(clean(text.stringValue()));
            default -> value;
        };
    }
}
