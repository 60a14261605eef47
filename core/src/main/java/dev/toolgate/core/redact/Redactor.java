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

    private static final String TELLING_WORD = "(?:passw(?:or)?d|passphrase|secret|token|credential|api[-_]?key"
            + "|access[-_]?key|private[-_]?key|authorization|cookie)";
    private static final String[] TELLING_HINTS = {
        "passw", "passphrase", "secret", "token", "credential", "key", "authorization", "cookie"
    };

    private static final List<KindOfKey> KINDS_OF_KEYS = List.of(
            new KindOfKey(
                    "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\\s\\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)",
                    "private key"),
            new KindOfKey("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b", "akia", "asia"),
            new KindOfKey("\\bgh[pousr]_[A-Za-z0-9]{20,}\\b", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
            new KindOfKey("\\bgithub_pat_[A-Za-z0-9_]{20,}\\b", "github_pat_"),
            new KindOfKey("\\bsk-[A-Za-z0-9_-]{16,}", "sk-"),
            new KindOfKey("\\bxox[abprs]-[A-Za-z0-9-]{10,}", "xox"),
            new KindOfKey("\\btg_[A-Za-z0-9_-]{16,}", "tg_"),
            // Not after a dash: a long row of beginnings would be tried from each of them to its end.
            new KindOfKey("(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*", "eyj"),
            new KindOfKey("(?i)(?<=\\b(?:bearer|basic)\\s{1,4})[A-Za-z0-9+/._~=-]{8,}", "bearer", "basic"),
            new KindOfKey("(?<=://)[^/\\s:@]*:[^/\\s@]+(?=@)", "://"),
            KindOfKey.after("((?:authorization|cookie)\\s{0,4}:\\s{0,4})[^\"'\\r\\n]+", "authorization", "cookie"),
            KindOfKey.after("(\\s(?:-u|--user)[\\s=]{1,4}[\"']?[^\\s:\"']{1,100}:)[^\\s\"']+", "-u", "--user"),
            KindOfKey.after("(--[a-z0-9-]{0,20}" + TELLING_WORD + "\\s{1,4})[^\\s\"']{4,}", TELLING_HINTS),
            KindOfKey.after(
                    "(" + TELLING_WORD + "[a-z0-9_-]{0,16}\\\\{0,4}[\"']?\\s{0,4}[=:]\\s{0,4})[^\\s&\"'\\\\]{4,}",
                    TELLING_HINTS),
            KindOfKey.after(
                    "(" + TELLING_WORD + "[a-z0-9_-]{0,16}\\\\{0,4}[\"']?\\s{0,4}[=:]\\s{0,4}(\\\\{0,4}[\"']))"
                            + "[^\\r\\n]+?(?=\\2|[\\r\\n]|$)",
                    TELLING_HINTS));

    private final List<String> knownSecrets;
    private final KnownSecrets handedOut;
    private final @Nullable TenantId tenant;
    private final List<KindOfKey> kinds;
    private final Predicate<String> telling;

    private Redactor(
            List<String> knownSecrets,
            KnownSecrets handedOut,
            @Nullable TenantId tenant,
            List<KindOfKey> kinds,
            Predicate<String> telling) {
        this.knownSecrets = knownSecrets;
        this.handedOut = handedOut;
        this.tenant = tenant;
        this.kinds = kinds;
        this.telling = telling;
    }

    /** By name and by kind. */
    public static Redactor standard() {
        return new Redactor(List.of(), new KnownSecrets(), null, KINDS_OF_KEYS, Redactor::isTelling);
    }

    /** Neither by name nor by kind: hides only what it will be told about. */
    public static Redactor knowingOnly() {
        return new Redactor(List.of(), new KnownSecrets(), null, List.of(), name -> false);
    }

    /** These very values as well, wherever they appear. */
    public Redactor knowing(Set<String> secrets) {
        return new Redactor(KnownSecrets.longestFirst(secrets), handedOut, tenant, kinds, telling);
    }

    /** Whatever secrets these will be as well, from the moment they are handed out. */
    public Redactor following(KnownSecrets secrets) {
        return new Redactor(knownSecrets, secrets, tenant, kinds, telling);
    }

    /**
     * For what one tenant sees: of the secrets that were handed out only its own are hidden, or guessing another's
     * would show by its being hidden.
     */
    public Redactor of(TenantId newTenant) {
        return new Redactor(knownSecrets, handedOut, newTenant, kinds, telling);
    }

    /** Values under these names, and texts that match these patterns, as well. */
    public Redactor alsoHiding(Collection<String> names, Collection<Pattern> patterns) {
        Set<String> more =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        List<KindOfKey> all = new ArrayList<>(kinds);
        patterns.forEach(pattern -> all.add(new KindOfKey(pattern, MASK, List.of(""))));
        return new Redactor(
                knownSecrets,
                handedOut,
                tenant,
                List.copyOf(all),
                telling.or(name -> more.contains(name.toLowerCase(Locale.ROOT))));
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
        String lowerCase = clean.toLowerCase(Locale.ROOT);
        for (KindOfKey kind : kinds) {
            if (kind.mayBeIn(lowerCase)) {
                clean = kind.pattern().matcher(clean).replaceAll(kind.replacement());
            }
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
        return TELLING_NAME.matcher(name.toLowerCase(Locale.ROOT)).find();
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

    /** A pattern, and the words of which at least one stands in every text that matches it. */
    private record KindOfKey(Pattern pattern, String replacement, List<String> hints) {
        KindOfKey(String pattern, String... hints) {
            this(Pattern.compile(pattern), MASK, List.of(hints));
        }

        /** A secret known by what stands before it, which is the first group of the pattern and stays. */
        static KindOfKey after(String pattern, String... hints) {
            return new KindOfKey(Pattern.compile("(?i)" + pattern), "$1" + MASK, List.of(hints));
        }

        // Looking for words first is some twenty times faster than trying the pattern.
        boolean mayBeIn(String lowerCase) {
            for (String hint : hints) {
                if (lowerCase.contains(hint)) {
                    return true;
                }
            }
            return false;
        }
    }
}
