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
 * The arguments of a call as recorded: masked and bounded in size. Long values are shortened where they are long, so
 * that short fields beside them, such as a path, stay complete; for what is left out, size and digest are recorded.
 * Only what is kept is scanned for secrets.
 */
public final class RecordedParameters {
    /** Longer than any secret found by its format, so that none is cut and half of it recorded. */
    private static final int MARGIN = 1024;

    /** Room for the note in place of what was left out. */
    private static final int NOTE = 160;

    private static final int MIN_FIELD_BYTES = 48;
    private static final int MAX_NAME_LENGTH = 100;
    /** A shortened name with its note. */
    private static final int NAME = MAX_NAME_LENGTH + 60;

    private static final int PUNCTUATION = 4;

    private final Redactor redactor;
    private final @Nullable KeyedDigest digest;

    /**
     * @param digest {@code null} to note sizes only
     */
    public RecordedParameters(Redactor redactor, @Nullable KeyedDigest digest) {
        this.redactor = redactor;
        this.digest = digest;
    }

    /**
     * How much of the arguments is recorded.
     *
     * @param wholeUpTo bytes that are recorded unshortened
     * @param otherwise bytes to which larger arguments are shortened
     */
    public record Limit(int wholeUpTo, int otherwise) {
        /** For permitted calls: nearly always complete. */
        public static final Limit OF_PERMITTED = new Limit(1 << 20, 64 * 1024);

        /** For refused calls, which are free for the caller and must stay cheap to record. */
        public static final Limit OF_REFUSED = new Limit(4 * 1024, 4 * 1024);
    }

    /** The arguments as recorded. */
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

    // A placeholder can be longer than its secret.
    private Masked<ObjectNode> cutAgain(Masked<ObjectNode> masked, int maxBytes) {
        Shortening shortening = new Shortening();
        ObjectNode cut = shortening.object(masked.value(), maxBytes);
        ObjectNode value = new ObjectMask(_ -> false, shortening::cut, Masks::placeholder)
                .of(cut)
                .value();
        return new Masked<>(value, masked.characters());
    }

    /** One shortening pass; remembers which texts were cut. */
    private final class Shortening {
        private final IdentityHashMap<String, Cut> cuts = new IdentityHashMap<>();

        /**
         * @param shown how many leading characters are recorded
         * @param maxBytes how many bytes they may have with everything masked
         */
        private record Cut(int shown, int maxBytes, String note) {}

        Masked<String> masked(String text) {
            Cut cut = cuts.get(text);
            if (cut == null) {
                return redactor.record(text);
            }
            Masked<String> beginning = redactor.recordBeginning(text, cut.shown());
            return new Masked<>(cutTo(beginning.value(), cut.maxBytes()) + cut.note(), beginning.characters());
        }

        Masked<String> cut(String text) {
            Cut cut = cuts.get(text);
            return new Masked<>(
                    cut == null ? text : cutTo(text.substring(0, cut.shown()), cut.maxBytes()) + cut.note(), 0);
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
            // A new string, looked up by identity later.
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
            return name.length() <= MAX_NAME_LENGTH
                    ? name
                    : redactor.recordBeginning(
                                            name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH + MARGIN)),
                                            startOfCharacter(name, MAX_NAME_LENGTH))
                                    .value()
                            + "[shortened: " + number(name.length()) + " characters]";
        }
    }

    /** Divides bytes among fields: what small ones do not need goes to large ones. */
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

        // Fields beyond the room for a note are left out.
        void add(long name, JsonNode value) {
            if (left < MIN_FIELD_BYTES) {
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
     * The approximate size of the value as JSON, counted only just beyond the limit. Values nested deeper than parsed
     * JSON may be count as too large, because they would overflow the stack.
     */
    private static long sizeUpTo(JsonNode value, long limit) {
        return sizeUpTo(value, limit, ObjectMask.MAX_DEPTH);
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
