package dev.toolgate.core.redact;

import dev.toolgate.core.digest.KeyedDigest;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * What goes on record of the arguments of a call: without secrets, and no larger than a number of bytes. What is too long
 * is shortened where it is long, so that the short fields beside it, a path for example, stay whole; of what is left out,
 * the record has the size and a digest. Only what is kept is looked through for secrets.
 */
public final class RecordedParameters {
    /** Longer than any secret that is found by its look, so that none is cut in two and half of it kept. */
    private static final int MARGIN = 1024;

    /** Room for the note that stands where something was left out. */
    private static final int NOTE = 160;

    private static final int LEAST_FOR_A_FIELD = 48;
    private static final int LONGEST_NAME = 100;
    /** A name that was shortened, with its note. */
    private static final int NAME = LONGEST_NAME + 60;

    private static final int PUNCTUATION = 4;

    private final Redactor redactor;
    private final @Nullable KeyedDigest digest;

    /**
     * @param digest {@code null} where there is no key, and then sizes alone are noted
     */
    public RecordedParameters(Redactor redactor, @Nullable KeyedDigest digest) {
        this.redactor = redactor;
        this.digest = digest;
    }

    /**
     * How much of the arguments goes on record.
     *
     * @param wholeUpTo so many bytes are recorded as they are
     * @param otherwise what is larger is shortened to so many
     */
    public record Limit(int wholeUpTo, int otherwise) {
        /** What was let through: nearly always whole. */
        public static final Limit OF_PERMITTED = new Limit(1 << 20, 64 * 1024);

        /** What was refused, which costs its caller nothing and must cost the record little. */
        public static final Limit OF_REFUSED = new Limit(4 * 1024, 4 * 1024);
    }

    /** The arguments as they go on record. */
    public Masked<ObjectNode> of(ObjectNode arguments, Limit limit) {
        if (sizeUpTo(arguments, limit.wholeUpTo()) <= limit.wholeUpTo()) {
            Masked<ObjectNode> whole = redactor.record(arguments);
            if (sizeUpTo(whole.value(), limit.wholeUpTo()) <= limit.wholeUpTo()) {
                return whole;
            }
        }
        int maxBytes = limit.otherwise();
        Shortening shortening = new Shortening();
        Masked<ObjectNode> shorter = redactor.record(shortening.object(arguments, maxBytes), shortening::masked);
        return sizeUpTo(shorter.value(), maxBytes) <= maxBytes ? shorter : cutAgain(shorter, maxBytes);
    }

    // A placeholder can be longer than the secret it stands for.
    private Masked<ObjectNode> cutAgain(Masked<ObjectNode> masked, int maxBytes) {
        Shortening shortening = new Shortening();
        ObjectNode cut = shortening.object(masked.value(), maxBytes);
        ObjectNode value = new ObjectMask(_ -> false, shortening::cut, Masks::placeholder)
                .of(cut)
                .value();
        return new Masked<>(value, masked.characters());
    }

    /** One shortening; remembers of which texts there is only a beginning left. */
    private final class Shortening {
        private final IdentityHashMap<String, Cut> cuts = new IdentityHashMap<>();

        /**
         * @param shown how many characters of the beginning go on record
         * @param mostBytes how many bytes they may have with everything masked
         */
        private record Cut(int shown, int mostBytes, String note) {}

        Masked<String> masked(String text) {
            Cut cut = cuts.get(text);
            if (cut == null) {
                return redactor.record(text);
            }
            Masked<String> beginning = redactor.recordBeginning(text, cut.shown());
            return new Masked<>(cutTo(beginning.value(), cut.mostBytes()) + cut.note(), beginning.characters());
        }

        Masked<String> cut(String text) {
            Cut cut = cuts.get(text);
            return new Masked<>(
                    cut == null ? text : cutTo(text.substring(0, cut.shown()), cut.mostBytes()) + cut.note(), 0);
        }

        private JsonNode value(JsonNode value, int bytes) {
            if (sizeUpTo(value, bytes) <= bytes) {
                return value;
            }
            return switch (value) {
                case ObjectNode object -> bytes < NOTE ? leftOut(value) : object(object, bytes);
                case ArrayNode array -> bytes < NOTE ? leftOut(value) : array(array, bytes);
                case StringNode text -> text(text.stringValue(), bytes);
                default -> leftOut(value);
            };
        }

        private ObjectNode object(ObjectNode object, int bytes) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            Shares shares = new Shares(bytes - NOTE);
            object.properties()
                    .forEach(field -> shares.add(Math.min(textSize(field.getKey(), bytes), NAME), field.getValue()));
            int kept = 0;
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                if (kept == shares.size()) {
                    copy.set(unused(copy, "..."), more(object.size() - kept, "fields", object));
                    break;
                }
                copy.set(unused(copy, name(field.getKey())), value(field.getValue(), shares.of(kept++)));
            }
            return copy;
        }

        private ArrayNode array(ArrayNode array, int bytes) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            Shares shares = new Shares(bytes - NOTE);
            array.forEach(item -> shares.add(0, item));
            int kept = 0;
            for (JsonNode item : array) {
                if (kept == shares.size()) {
                    copy.add(more(array.size() - kept, "items", array));
                    break;
                }
                copy.add(value(item, shares.of(kept++)));
            }
            return copy;
        }

        private JsonNode text(String text, int bytes) {
            int room = Math.max(0, bytes - NOTE);
            int shown = startOfCharacter(text, Math.min(text.length(), room));
            // A string of its own, by whose identity it is known later.
            String beginning = new String(text.substring(0, Math.min(text.length(), shown + MARGIN)));
            String note = "[shortened: " + number(text.length()) + " characters" + digestOf(text) + "]";
            cuts.put(beginning, new Cut(shown, room, note));
            return JsonNodeFactory.instance.stringNode(beginning);
        }

        private JsonNode leftOut(JsonNode value) {
            return note("[left out: " + written(value) + "]");
        }

        private JsonNode more(int count, String what, JsonNode of) {
            return note("[left out: " + number(count) + " more " + what + " of " + written(of) + "]");
        }

        private JsonNode note(String note) {
            String text = new String(note);
            cuts.put(text, new Cut(0, 0, note));
            return JsonNodeFactory.instance.stringNode(text);
        }

        private String name(String name) {
            return name.length() <= LONGEST_NAME
                    ? name
                    : redactor.recordBeginning(
                                            name.substring(0, Math.min(name.length(), LONGEST_NAME + MARGIN)),
                                            startOfCharacter(name, LONGEST_NAME))
                                    .value()
                            + "[shortened: " + number(name.length()) + " characters]";
        }
    }

    /** How many bytes each field may have: what the small ones do not need is shared by the large ones. */
    private static final class Shares {
        private final List<Long> sizes = new ArrayList<>();
        private final long bytes;
        private long left;
        private long overhead;
        private long fair = -1;

        Shares(long bytes) {
            this.bytes = bytes;
            this.left = bytes;
        }

        // Those that come when there is no room for a note any more are left out.
        void add(long name, JsonNode value) {
            if (left < LEAST_FOR_A_FIELD) {
                return;
            }
            long size = sizeUpTo(value, bytes);
            sizes.add(size);
            overhead += name + PUNCTUATION;
            left -= Math.min(size, NOTE) + name + PUNCTUATION;
        }

        int size() {
            return sizes.size();
        }

        int of(int field) {
            return (int) Math.min(sizes.get(field), fair());
        }

        private long fair() {
            if (fair < 0) {
                fair = fairShare();
            }
            return fair;
        }

        private long fairShare() {
            List<Long> ascending = sizes.stream().sorted().toList();
            long room = bytes - overhead;
            for (int at = 0; at < ascending.size(); at++) {
                long share = room / (ascending.size() - at);
                if (ascending.get(at) > share) {
                    return Math.max(share, 0);
                }
                room -= ascending.get(at);
            }
            return bytes;
        }
    }

    private static String unused(ObjectNode object, String name) {
        String free = name;
        for (int number = 2; object.has(free); number++) {
            free = name + " (" + number + ")";
        }
        return free;
    }

    private String written(JsonNode json) {
        try {
            String text = json.toString();
            return number(text.length()) + " characters of JSON" + digestOf(text);
        } catch (JacksonException | StackOverflowError nestedTooDeep) {
            return "JSON that is nested too deep";
        }
    }

    private String digestOf(String text) {
        return digest == null ? "" : ", " + digest.of(text);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static int startOfCharacter(String text, int at) {
        boolean splits = at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at));
        return splits ? at - 1 : at;
    }

    private static String cutTo(String text, int bytes) {
        int size = 0;
        for (int at = 0; at < text.length(); at++) {
            size += size(text.charAt(at));
            if (size > bytes) {
                return text.substring(0, startOfCharacter(text, at));
            }
        }
        return text;
    }

    /**
     * About how many bytes the value has as JSON, counted no further than just beyond the limit; what is nested deeper than
     * JSON may be when it is read counts as too large, because it would overflow the stack.
     */
    private static long sizeUpTo(JsonNode value, long limit) {
        return sizeUpTo(value, limit, ObjectMask.DEEPEST);
    }

    private static long sizeUpTo(JsonNode value, long limit, int levels) {
        return switch (value) {
            case ObjectNode object -> {
                long size = levels == 0 ? limit + 1 : 2;
                for (Map.Entry<String, JsonNode> field : object.properties()) {
                    if (size > limit) {
                        break;
                    }
                    size += textSize(field.getKey(), limit) + 2;
                    size += sizeUpTo(field.getValue(), limit - size, levels - 1);
                }
                yield size;
            }
            case ArrayNode array -> {
                long size = levels == 0 ? limit + 1 : 2;
                for (JsonNode item : array) {
                    if (size > limit) {
                        break;
                    }
                    size += 1 + sizeUpTo(item, limit - size, levels - 1);
                }
                yield size;
            }
            case StringNode text -> textSize(text.stringValue(), limit);
            default -> value.toString().length();
        };
    }

    private static long textSize(String text, long limit) {
        long size = 2;
        for (int at = 0; at < text.length() && size <= limit; at++) {
            size += size(text.charAt(at));
        }
        return size;
    }

    private static int size(char letter) {
        if (letter < ' ') {
            return 6;
        }
        if (letter < 0x80) {
            return letter == '"' || letter == '\\' ? 2 : 1;
        }
        return letter < 0x800 ? 2 : 3;
    }
}
