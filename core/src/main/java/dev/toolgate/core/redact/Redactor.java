package dev.toolgate.core.redact;

import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    // As deep as JSON may be when it is read; what was built deeper by hand would overflow the stack.
    private static final int DEEPEST = 500;

    private static final Pattern TELLING_NAME = Pattern.compile(
            "(?i)(passw(or)?d|passphrase|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key"
                    + "|authorization|cookie|^auth$|^key$)");

    /** At least one of these stands in every telling name. */
    private static final WordsInText TELLING = new WordsInText(List.of(
            List.of("passw", "passphrase", "secret", "token", "credential", "key", "authorization", "cookie", "auth")));

    private final List<String> knownSecrets;
    private final KnownSecrets handedOut;
    private final @Nullable TenantId tenant;
    private final boolean byKind;
    private final List<Pattern> more;
    private final Predicate<String> telling;

    private Redactor(
            List<String> knownSecrets,
            KnownSecrets handedOut,
            @Nullable TenantId tenant,
            boolean byKind,
            List<Pattern> more,
            Predicate<String> telling) {
        this.knownSecrets = knownSecrets;
        this.handedOut = handedOut;
        this.tenant = tenant;
        this.byKind = byKind;
        this.more = more;
        this.telling = telling;
    }

    /** By name and by kind. */
    public static Redactor standard() {
        return new Redactor(List.of(), new KnownSecrets(), null, true, List.of(), Redactor::isTelling);
    }

    /** Neither by name nor by kind: hides only what it will be told about. */
    public static Redactor knowingOnly() {
        return new Redactor(List.of(), new KnownSecrets(), null, false, List.of(), name -> false);
    }

    /** These very values as well, wherever they appear. */
    public Redactor knowing(Set<String> secrets) {
        return new Redactor(KnownSecrets.longestFirst(secrets), handedOut, tenant, byKind, more, telling);
    }

    /** Whatever secrets these will be as well, from the moment they are handed out. */
    public Redactor following(KnownSecrets secrets) {
        return new Redactor(knownSecrets, secrets, tenant, byKind, more, telling);
    }

    /**
     * For what one tenant sees: of the secrets that were handed out only its own are hidden, or guessing another's
     * would show by its being hidden.
     */
    public Redactor of(TenantId newTenant) {
        return new Redactor(knownSecrets, handedOut, newTenant, byKind, more, telling);
    }

    /** Values under these names, and texts that match these patterns, as well. */
    public Redactor alsoHiding(Collection<String> names, Collection<Pattern> patterns) {
        Set<String> moreNames =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        List<Pattern> all = new ArrayList<>(more);
        all.addAll(patterns);
        return new Redactor(
                knownSecrets,
                handedOut,
                tenant,
                byKind,
                List.copyOf(all),
                telling.or(name -> moreNames.contains(name.toLowerCase(Locale.ROOT))));
    }

    /** The text without the secrets it has been told about; for results, which must stay true otherwise. */
    public String hideKnown(String text) {
        return hide(knownSecrets, hide(handedOut(), text));
    }

    private static String hide(List<String> secrets, String text) {
        String clean = text;
        for (String secret : secrets) {
            if (!secret.isEmpty()) {
                clean = clean.replace(secret, MASK);
            }
        }
        return clean;
    }

    private List<String> handedOut() {
        return tenant == null ? handedOut.all() : handedOut.of(tenant);
    }

    /** The value without the secrets it has been told about, in whichever text of it they stand. */
    public JsonNode hideKnown(JsonNode value) {
        return inEveryText(value, this::hideKnown);
    }

    /** How many characters at the end of a text could be the beginning of a secret it has been told about. */
    int beginningOfKnown(String text) {
        return Math.max(beginning(knownSecrets, text), beginning(handedOut(), text));
    }

    private static int beginning(List<String> secrets, String text) {
        int longest = 0;
        for (String secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > longest; length--) {
                if (text.regionMatches(text.length() - length, secret, 0, length)) {
                    longest = length;
                }
            }
        }
        return longest;
    }

    /** Whether there are secrets that {@link #hideKnown} would hide. */
    public boolean knowsSecrets() {
        return !knownSecrets.isEmpty() || !handedOut().isEmpty();
    }

    /** The text without anything that looks like a secret; for what is stored or logged. */
    public String clean(String text) {
        String clean = hideKnown(text);
        if (byKind) {
            clean = KindsOfKeys.hide(clean);
        }
        for (Pattern pattern : more) {
            clean = pattern.matcher(clean).replaceAll(MASK);
        }
        return clean;
    }

    /** A copy of the object without secrets. */
    public ObjectNode clean(ObjectNode object) {
        return clean(object, DEEPEST);
    }

    private ObjectNode clean(ObjectNode object, int levels) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        boolean pair = telling.test(object.path("name").asString("")); // {"name": "Authorization", "value": …}
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            boolean secret =
                    telling.test(field.getKey()) || (pair && field.getKey().equals("value"));
            copy.set(
                    field.getKey(),
                    secret ? JsonNodeFactory.instance.stringNode(MASK) : clean(field.getValue(), levels - 1));
        }
        return copy;
    }

    /** Whether a value under this name is a secret whatever it looks like. */
    public static boolean isTelling(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        return TELLING.in(lowerCase) != 0 && TELLING_NAME.matcher(lowerCase).find();
    }

    private static JsonNode inEveryText(JsonNode value, UnaryOperator<String> change) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = JsonNodeFactory.instance.objectNode();
                object.properties()
                        .forEach(
                                field -> copy.set(change.apply(field.getKey()), inEveryText(field.getValue(), change)));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> copy.add(inEveryText(item, change)));
                yield copy;
            }
            case StringNode text -> JsonNodeFactory.instance.stringNode(change.apply(text.stringValue()));
            default -> value;
        };
    }

    private JsonNode clean(JsonNode value, int levels) {
        if (levels == 0) {
            return JsonNodeFactory.instance.stringNode(MASK);
        }
        return switch (value) {
            case ObjectNode object -> clean(object, levels);
            case ArrayNode array -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
                array.forEach(item -> copy.add(clean(item, levels - 1)));
                yield copy;
            }
            case StringNode text -> JsonNodeFactory.instance.stringNode(clean(text.stringValue()));
            default -> value;
        };
    }
}
