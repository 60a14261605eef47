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
import java.util.function.Supplier;
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
 * Masks secrets: values under sensitive names, texts in well-known key formats, and exact known secrets. The audience
 * decides what is looked for:
 *
 * <ul>
 *   <li>{@code clean}: logs, read by operators only; everything.
 *   <li>{@code mask} and {@code record}: callers' input, for approvers and the audit log; by name and format, never by
 *       value, because a caller who sends guesses may read it.
 *   <li>{@code hideKnown}: results, which must stay correct; by value, except what the caller sent itself.
 * </ul>
 */
public final class Redactor {
    /** Stands for a secret in results and logs. */
    public static final String MASK = "[redacted]";

    private static final Pattern SENSITIVE_NAME = Pattern.compile(
            "(?i)(passw(or)?d|passphrase|secret|token|credential|api[-_]?key|access[-_]?key|private[-_]?key"
                    + "|authorization|cookie|^auth$|^key$)");

    /** Every sensitive name contains at least one of these. */
    private static final KeywordScanner SENSITIVE_WORDS = new KeywordScanner(List.of(
            List.of("passw", "passphrase", "secret", "token", "credential", "key", "authorization", "cookie", "auth")));

    private static final Supplier<SecretFinder> NO_SERVER = () -> SecretFinder.NONE;

    private final SecretFinder own;
    private final SecretShapes ownShapes;
    private final KnownSecrets handedOut;
    private final @Nullable TenantId tenant;
    /** The secrets of one MCP server, in addition to those of the tenant. */
    private final Supplier<SecretFinder> ofServer;

    private final SentSecrets sent;
    private final Formats formats;

    /** Formats of secrets and personal data. */
    private record Formats(
            boolean byKind,
            List<BoundedPattern> patterns,
            Predicate<String> sensitiveName,
            Function<TenantId, Set<PersonalData>> personal) {
        Formats(boolean byKind, Predicate<String> sensitiveName) {
            this(byKind, List.of(), sensitiveName, _ -> Set.of());
        }
    }

    private Redactor(
            SecretFinder own,
            SecretShapes ownShapes,
            KnownSecrets handedOut,
            @Nullable TenantId tenant,
            Supplier<SecretFinder> ofServer,
            SentSecrets sent,
            Formats formats) {
        this.own = own;
        this.ownShapes = ownShapes;
        this.handedOut = handedOut;
        this.tenant = tenant;
        this.ofServer = ofServer;
        this.sent = sent;
        this.formats = formats;
    }

    /** By name and by format. */
    public static Redactor standard() {
        return of(new Formats(true, Redactor::isSensitiveName));
    }

    /** Only known secrets; neither by name nor by format. */
    public static Redactor knownSecretsOnly() {
        return of(new Formats(false, _ -> false));
    }

    private static Redactor of(Formats formats) {
        return new Redactor(
                SecretFinder.NONE, SecretShapes.NONE, new KnownSecrets(), null, NO_SERVER, SentSecrets.NONE, formats);
    }

    /** Also hides these exact values. */
    public Redactor withSecrets(Set<String> secrets) {
        KnownSecrets.Known known = KnownSecrets.Known.of(SecretFinder.of(secrets));
        return new Redactor(known.finder(), known.shapes(), handedOut, tenant, ofServer, sent, formats);
    }

    /** Also hides secrets added to this set later. */
    public Redactor withKnownSecrets(KnownSecrets secrets) {
        return new Redactor(own, ownShapes, secrets, tenant, NO_SERVER, sent, formats);
    }

    /**
     * For what one tenant sees: hides only that tenant's secrets, since masking another's would confirm a guess; and of
     * these only unguessable ones.
     */
    public Redactor of(TenantId newTenant) {
        return new Redactor(own, ownShapes, handedOut, newTenant, NO_SERVER, sent, formats);
    }

    /** The same for what comes from an MCP server, which has secrets of its own. */
    public Redactor ofServer(TenantId newTenant, String server) {
        return new Redactor(own, ownShapes, handedOut, newTenant, () -> handedOut.of(newTenant, server), sent, formats);
    }

    /** For results of this call: a secret that the caller sent itself is not hidden from it. */
    public Redactor forCallerOf(Call call) {
        return forCallerOf(call, call.toolName());
    }

    /**
     * The same for a call that may name its tool by an alias.
     *
     * @param tool the tool's own name, which begins with its server if it has one
     */
    public Redactor forCallerOf(Call call, String tool) {
        TenantId callers = call.caller().tenant();
        return new Redactor(
                own,
                ownShapes,
                handedOut,
                callers,
                () -> handedOut.ofTool(callers, tool),
                new SentSecrets(call, handedOut),
                formats);
    }

    /** Also hides values under these names and texts that match these patterns. */
    public Redactor alsoHiding(Collection<String> names, Collection<Pattern> patterns) {
        Set<String> moreNames =
                names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        List<BoundedPattern> all = new ArrayList<>(formats.patterns());
        patterns.forEach(pattern -> all.add(new BoundedPattern(pattern)));
        return withFormats(new Formats(
                formats.byKind(),
                List.copyOf(all),
                formats.sensitiveName().or(name -> moreNames.contains(name.toLowerCase(Locale.ROOT))),
                formats.personal()));
    }

    /** Also hides these kinds of personal data per tenant, in audit records. */
    public Redactor alsoHiding(Function<TenantId, Set<PersonalData>> personal) {
        return withFormats(new Formats(formats.byKind(), formats.patterns(), formats.sensitiveName(), personal));
    }

    private Redactor withFormats(Formats newFormats) {
        return new Redactor(own, ownShapes, handedOut, tenant, ofServer, sent, newFormats);
    }

    /** Notes which known secrets the caller has sent, so that it gets them back unmasked. */
    public void noteSent(Call call) {
        if (!knowsSecrets()) {
            return;
        }
        Set<String> found = new HashSet<>();
        Predicate<String> noting = secret -> {
            found.add(secret);
            return false;
        };
        SentSecrets.everyText(call, text -> {
            own.find(text, noting, new Masks());
            known().forEach(known -> known.find(text, maskable().and(noting), new Masks()));
        });
        found.forEach(
                secret -> handedOut.sentBy(call.caller().tenant(), call.caller().agent(), secret));
    }

    /** The text without known secrets; for results, which must stay correct otherwise. */
    public String hideKnown(String text) {
        Masks masks = new Masks();
        findKnown(text, masks);
        return masks.hiddenIn(text);
    }

    private void findKnown(String text, Masks masks) {
        own.find(text, sent::isSecret, masks);
        known().forEach(known -> known.find(text, hidden(), masks));
    }

    private Predicate<String> hidden() {
        return maskable().and(sent::isSecret);
    }

    // What can be guessed is hidden in logs only.
    private Predicate<String> maskable() {
        return tenant == null ? _ -> true : KnownSecrets::isUnguessable;
    }

    private List<SecretFinder> known() {
        return tenant == null ? handedOut.all() : List.of(handedOut.of(tenant).finder(), ofServer.get());
    }

    /** The value without known secrets in any of its texts. */
    public JsonNode hideKnown(JsonNode value) {
        return inEveryText(value, this::hideKnown);
    }

    /** How many characters at the end of a text could start a known secret. */
    int beginningOfKnown(String text) {
        int longest = own.beginningAtEnd(text, sent::isSecret);
        for (SecretFinder known : known()) {
            longest = Math.max(longest, known.beginningAtEnd(text, hidden()));
        }
        return longest;
    }

    /** Whether there can be secrets that {@link #hideKnown} would hide. */
    public boolean knowsSecrets() {
        return !own.isEmpty() || known().stream().anyMatch(known -> !known.isEmpty());
    }

    /** The text without anything that is or looks like a secret; for logs and error messages. */
    public String clean(String text) {
        return cleaned(text).value();
    }

    private Masked<String> cleaned(String text) {
        Masks masks = new Masks();
        findKnown(text, masks);
        findByFormat(text, masks);
        return new Masked<>(masks.hiddenIn(text), 0);
    }

    /** A copy of the object without secrets; for logs. */
    public ObjectNode clean(ObjectNode object) {
        return new ObjectMask(formats.sensitiveName(), this::cleaned, _ -> MASK)
                .of(object)
                .value();
    }

    /** The text without what looks like a secret; for callers' input as approvers see it. */
    public Masked<String> mask(String text) {
        return masked(text, Set.of());
    }

    /** The same for an object, by the names in it too. */
    public Masked<ObjectNode> mask(ObjectNode object) {
        return new ObjectMask(formats.sensitiveName(), this::mask, Masks::placeholder).of(object);
    }

    /** The text without what looks like a secret or like personal data the tenant keeps out of audit records. */
    public Masked<String> record(String text) {
        return masked(text, personal());
    }

    /** The same for an object, by the names in it too. */
    public Masked<ObjectNode> record(ObjectNode object) {
        return new ObjectMask(formats.sensitiveName(), this::record, Masks::placeholder).of(object);
    }

    /**
     * The same for an object that may be long.
     *
     * @param texts masks its texts in place of {@link #record(String)}
     */
    Masked<ObjectNode> record(ObjectNode object, ObjectMask.TextMask texts) {
        return new ObjectMask(formats.sensitiveName(), texts, Masks::placeholder).of(object);
    }

    /** The first characters of a text for the record; the text must extend far enough to see where a secret ends. */
    Masked<String> recordBeginning(String text, int shown) {
        Masks masks = new Masks();
        findForOthers(text, personal(), masks);
        return masks.countedIn(text, shown);
    }

    private Set<PersonalData> personal() {
        return tenant == null ? Set.of() : formats.personal().apply(tenant);
    }

    private Masked<String> masked(String text, Set<PersonalData> personal) {
        Masks masks = new Masks();
        findForOthers(text, personal, masks);
        return masks.countedIn(text);
    }

    private void findForOthers(String text, Set<PersonalData> personal, Masks masks) {
        findByFormat(text, masks);
        ownShapes.find(text, masks);
        shapes().forEach(shapes -> shapes.find(text, masks));
        PersonalData.find(personal, text, masks);
    }

    // Not those of a server, which could choose its tokens to hide words of its calls from approvers and from the
    // record.
    private List<SecretShapes> shapes() {
        return tenant == null
                ? handedOut.shapes()
                : List.of(handedOut.of(tenant).shapes());
    }

    private void findByFormat(String text, Masks masks) {
        if (formats.byKind()) {
            // Separate masks: ranges found by others must not make this scan skip anything.
            Masks ofKinds = new Masks();
            KnownKeyFormats.find(text, ofKinds);
            masks.addAll(ofKinds);
        }
        formats.patterns().forEach(pattern -> pattern.find(text, masks));
    }

    /** The placeholder for a secret of this many characters. */
    public static String placeholder(long characters) {
        return Masks.placeholder(characters);
    }

    /** Whether a value under this name counts as a secret whatever its format. */
    public static boolean isSensitiveName(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        return SENSITIVE_WORDS.in(lowerCase) != 0
                && SENSITIVE_NAME.matcher(lowerCase).find();
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
