package dev.toolgate.core.redact;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
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
 * Masks secrets: values under telling names, texts that look like well-known kinds of keys, and the exact secrets it has
 * been told about. Who reads the text decides what is looked for:
 *
 * <ul>
 *   <li>{@code clean}: logs, which only operators read; everything.
 *   <li>{@code mask} and {@code record}: what callers sent, for approvers and for the record; by name and by look, never by
 *       value, because whoever sends guesses may read it.
 *   <li>{@code hideKnown}: results, which must stay true; by value, but nothing that the caller sent itself.
 * </ul>
 */
public final class Redactor {
    /** Stands for a secret in results and logs. */
    public static final String MASK = "[redacted]";

    private static final Pattern TELLING_NAME = Pattern.compile(
            "(?i)(passw(or)?d|passphrase|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key"
                    + "|authorization|cookie|^auth$|^key$)");

    /** At least one of these stands in every telling name. */
    private static final WordsInText TELLING = new WordsInText(List.of(
            List.of("passw", "passphrase", "secret", "token", "credential", "key", "authorization", "cookie", "auth")));

    private final SecretFinder own;
    private final SecretShapes ownShapes;
    private final KnownSecrets handedOut;
    private final @Nullable TenantId tenant;
    private final SentSecrets sent;
    private final Look look;

    /** What secrets and personal data look like. */
    private record Look(
            boolean byKind,
            List<BoundedPattern> patterns,
            Predicate<String> telling,
            Function<TenantId, Set<PersonalData>> personal) {
        Look(boolean byKind, Predicate<String> telling) {
            this(byKind, List.of(), telling, _ -> Set.of());
        }
    }

    private Redactor(
            SecretFinder own,
            SecretShapes ownShapes,
            KnownSecrets handedOut,
            @Nullable TenantId tenant,
            SentSecrets sent,
            Look look) {
        this.own = own;
        this.ownShapes = ownShapes;
        this.handedOut = handedOut;
        this.tenant = tenant;
        this.sent = sent;
        this.look = look;
    }

    /** By name and by kind. */
    public static Redactor standard() {
        return of(new Look(true, Redactor::isTelling));
    }

    /** Neither by name nor by kind: hides only what it will be told about. */
    public static Redactor knowingOnly() {
        return of(new Look(false, _ -> false));
    }

    private static Redactor of(Look look) {
        return new Redactor(SecretFinder.NONE, SecretShapes.NONE, new KnownSecrets(), null, SentSecrets.NONE, look);
    }

    /** These very values as well, wherever they appear. */
    public Redactor knowing(Set<String> secrets) {
        KnownSecrets.Known known = KnownSecrets.Known.of(secrets);
        return new Redactor(known.everything(), known.shapes(), handedOut, tenant, sent, look);
    }

    /** Whatever secrets these will be as well, from the moment they are handed out. */
    public Redactor following(KnownSecrets secrets) {
        return new Redactor(own, ownShapes, secrets, tenant, sent, look);
    }

    /**
     * For what one tenant sees: of the secrets that were handed out only its own are hidden, or guessing another's
     * would show by its being hidden; and of these only those that nobody guesses.
     */
    public Redactor of(TenantId newTenant) {
        return new Redactor(own, ownShapes, handedOut, newTenant, sent, look);
    }

    /** For what the caller of this call gets back: a secret that it sent itself is no secret to it. */
    public Redactor answering(Call call) {
        TenantId callers = call.caller().tenant();
        return new Redactor(own, ownShapes, handedOut, callers, new SentSecrets(call, handedOut), look);
    }

    /** Values under these names, and texts that match these patterns, as well. */
    public Redactor alsoHiding(Collection<String> names, Collection<Pattern> patterns) {
        Set<String> moreNames =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        List<BoundedPattern> all = new ArrayList<>(look.patterns());
        patterns.forEach(pattern -> all.add(new BoundedPattern(pattern)));
        return looking(new Look(
                look.byKind(),
                List.copyOf(all),
                look.telling().or(name -> moreNames.contains(name.toLowerCase(Locale.ROOT))),
                look.personal()));
    }

    /** These kinds of personal data of each tenant as well, in records. */
    public Redactor alsoHiding(Function<TenantId, Set<PersonalData>> personal) {
        return looking(new Look(look.byKind(), look.patterns(), look.telling(), personal));
    }

    private Redactor looking(Look newLook) {
        return new Redactor(own, ownShapes, handedOut, tenant, sent, newLook);
    }

    /** Notes which of the secrets it has been told about the caller has sent, so that it gets them back as they are. */
    public void noteSent(Call call) {
        if (own.isEmpty() && known().isEmpty()) {
            return;
        }
        Set<String> found = new HashSet<>();
        Predicate<String> noting = secret -> {
            found.add(secret);
            return false;
        };
        SentSecrets.everyText(call, text -> {
            own.find(text, noting, new Masks());
            known().find(text, noting, new Masks());
        });
        found.forEach(
                secret -> handedOut.sentBy(call.caller().tenant(), call.caller().agent(), secret));
    }

    /** The text without the secrets it has been told about; for results, which must stay true otherwise. */
    public String hideKnown(String text) {
        Masks masks = new Masks();
        findKnown(text, masks);
        return masks.hiddenIn(text);
    }

    private void findKnown(String text, Masks masks) {
        own.find(text, sent::isSecret, masks);
        known().find(text, sent::isSecret, masks);
    }

    private SecretFinder known() {
        return tenant == null
                ? handedOut.all().everything()
                : handedOut.of(tenant).unguessable();
    }

    /** The value without the secrets it has been told about, in whichever text of it they stand. */
    public JsonNode hideKnown(JsonNode value) {
        return inEveryText(value, this::hideKnown);
    }

    /** How many characters at the end of a text could be the beginning of a secret it has been told about. */
    int beginningOfKnown(String text) {
        return Math.max(own.beginningAtEnd(text, sent::isSecret), known().beginningAtEnd(text, sent::isSecret));
    }

    /** Whether there are secrets that {@link #hideKnown} would hide. */
    public boolean knowsSecrets() {
        return !own.isEmpty() || !known().isEmpty();
    }

    /** The text without anything that is or looks like a secret; for logs, and for what a caller is told. */
    public String clean(String text) {
        return cleaned(text).value();
    }

    private Masked<String> cleaned(String text) {
        Masks masks = new Masks();
        findKnown(text, masks);
        findLooks(text, masks);
        return new Masked<>(masks.hiddenIn(text), 0);
    }

    /** A copy of the object without secrets; for logs. */
    public ObjectNode clean(ObjectNode object) {
        return new ObjectMask(look.telling(), this::cleaned, _ -> MASK)
                .of(object)
                .value();
    }

    /** The text without what looks like a secret; for what callers sent, as approvers see it. */
    public Masked<String> mask(String text) {
        return masked(text, Set.of());
    }

    /** The same for an object, by the names in it too. */
    public Masked<ObjectNode> mask(ObjectNode object) {
        return new ObjectMask(look.telling(), this::mask, Masks::placeholder).of(object);
    }

    /** The text without what looks like a secret, or like personal data that the tenant keeps out of records. */
    public Masked<String> record(String text) {
        return masked(text, personal());
    }

    /** The same for an object, by the names in it too. */
    public Masked<ObjectNode> record(ObjectNode object) {
        return new ObjectMask(look.telling(), this::record, Masks::placeholder).of(object);
    }

    /**
     * The same for an object that may be long.
     *
     * @param texts masks its texts in place of {@link #record(String)}
     */
    Masked<ObjectNode> record(ObjectNode object, ObjectMask.TextMask texts) {
        return new ObjectMask(look.telling(), texts, Masks::placeholder).of(object);
    }

    /** The first characters of a text for the record, given enough of what follows them to see where a secret ends. */
    Masked<String> recordBeginning(String text, int shown) {
        Masks masks = new Masks();
        findForOthers(text, personal(), masks);
        return masks.countedIn(text, shown);
    }

    private Set<PersonalData> personal() {
        return tenant == null ? Set.of() : look.personal().apply(tenant);
    }

    private Masked<String> masked(String text, Set<PersonalData> personal) {
        Masks masks = new Masks();
        findForOthers(text, personal, masks);
        return masks.countedIn(text);
    }

    private void findForOthers(String text, Set<PersonalData> personal, Masks masks) {
        findLooks(text, masks);
        ownShapes.find(text, masks);
        (tenant == null ? handedOut.all() : handedOut.of(tenant)).shapes().find(text, masks);
        PersonalData.find(personal, text, masks);
    }

    private void findLooks(String text, Masks masks) {
        if (look.byKind()) {
            // Of its own: what others have found must not make this scan pass over anything.
            Masks ofKinds = new Masks();
            KindsOfKeys.find(text, ofKinds);
            masks.addAll(ofKinds);
        }
        look.patterns().forEach(pattern -> pattern.find(text, masks));
    }

    /** What stands for a secret of so many characters where people are told how much they do not see. */
    public static String placeholder(long characters) {
        return Masks.placeholder(characters);
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
}
