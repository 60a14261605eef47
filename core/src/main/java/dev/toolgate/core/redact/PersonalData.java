package dev.toolgate.core.redact;

import java.util.Set;

/** Kinds of personal data that can be kept out of audit records. Each is found in one pass over the text. */
public enum PersonalData {
    /** Email addresses. */
    EMAIL {
        @Override
        void find(String text, Masks masks) {
            for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
                int start = localPartStart(text, at);
                int end = domainEnd(text, at + 1);
                if (start < at && end > 0) {
                    masks.add(start, end);
                }
            }
        }
    },
    /** Payment card numbers with a valid check digit. */
    CARD {
        @Override
        void find(String text, Masks masks) {
            for (int at = 0; at < text.length(); at++) {
                if (isDigit(text, at) && !isDigit(text, at - 1)) {
                    int end = cardEnd(text, at);
                    masks.add(at, end);
                    at = Math.max(at, end - 1);
                }
            }
        }
    },
    /** Phone numbers with a country code, and North American ones. */
    PHONE {
        @Override
        void find(String text, Masks masks) {
            for (int at = 0; at < text.length(); at++) {
                char letter = text.charAt(at);
                boolean begins = !isDigit(text, at - 1) && !CharClass.WORD.at(text, at - 1);
                if (begins && (letter == '+' || letter == '(' || isDigit(text, at))) {
                    int end = phoneEnd(text, at);
                    masks.add(at, end);
                    at = Math.max(at, end - 1);
                }
            }
        }
    };

    private static final int MAX_LOCAL_PART_LENGTH = 64;
    private static final int MAX_DOMAIN_LENGTH = 255;
    private static final int MIN_CARD_DIGITS = 13;
    private static final int MAX_CARD_DIGITS = 19;
    private static final int MIN_PHONE_DIGITS = 8;
    private static final int MAX_PHONE_DIGITS = 15;
    private static final String NORTH_AMERICA = "ddd-ddd-dddd";

    abstract void find(String text, Masks masks);

    static void find(Set<PersonalData> kinds, String text, Masks masks) {
        kinds.forEach(kind -> kind.find(text, masks));
    }

    private static boolean isDigit(String text, int at) {
        return at >= 0 && at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static int localPartStart(String text, int at) {
        int start = at;
        while (start > 0 && at - start < MAX_LOCAL_PART_LENGTH && isInLocalPart(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isInLocalPart(char letter) {
        return Character.isLetterOrDigit(letter) || "._%+-'".indexOf(letter) >= 0;
    }

    // Labels separated by dots, the last of letters only; 0 if this is no domain.
    private static int domainEnd(String text, int from) {
        int limit = Math.min(text.length(), from + MAX_DOMAIN_LENGTH);
        int end = 0;
        int label = from;
        int at = from;
        boolean letters = true;
        for (; at <= limit; at++) {
            char letter = at < limit ? text.charAt(at) : ' ';
            if (Character.isLetterOrDigit(letter) || letter == '-') {
                letters &= Character.isLetter(letter);
            } else {
                if (label > from && at - label >= 2 && letters) {
                    end = at;
                }
                if (letter != '.' || at == label) {
                    return end;
                }
                label = at + 1;
                letters = true;
            }
        }
        return end;
    }

    // One group or several with a blank or dash between; the longest match.
    private static int cardEnd(String text, int start) {
        int digits = 0;
        int found = start;
        int[] number = new int[MAX_CARD_DIGITS];
        int at = start;
        while (digits < MAX_CARD_DIGITS) {
            if (!isDigit(text, at)) {
                boolean between = digits > 0 && at < text.length() && " -".indexOf(text.charAt(at)) >= 0;
                if (!between || !isDigit(text, at + 1)) {
                    break;
                }
                at++;
            }
            number[digits++] = text.charAt(at++) - '0';
            if (digits >= MIN_CARD_DIGITS && !isDigit(text, at) && hasCheckDigit(number, digits)) {
                found = at;
            }
        }
        return number[0] >= 2 && number[0] <= 6 ? found : start;
    }

    // Luhn check: every second digit from the right counts twice.
    private static boolean hasCheckDigit(int[] number, int digits) {
        int sum = 0;
        for (int place = 0; place < digits; place++) {
            int digit = number[digits - 1 - place];
            int twice = place % 2 == 1 ? digit * 2 : digit;
            sum += twice > 9 ? twice - 9 : twice;
        }
        return sum % 10 == 0;
    }

    private static int phoneEnd(String text, int start) {
        int northAmerica = northAmericanEnd(text, start);
        if (northAmerica > start) {
            return northAmerica;
        }
        boolean zeros = text.startsWith("00", start) && isDigit(text, start + 2);
        return text.charAt(start) == '+' || zeros ? internationalEnd(text, start, zeros ? 2 : 1) : start;
    }

    private static int internationalEnd(String text, int start, int prefix) {
        int digits = 0;
        int end = start;
        for (int at = start + prefix; digits <= MAX_PHONE_DIGITS && at < text.length(); at++) {
            if (isDigit(text, at)) {
                digits++;
                end = at + 1;
            } else if (" -./()".indexOf(text.charAt(at)) < 0 || at - end >= 2) {
                break;
            }
        }
        boolean fits = digits >= MIN_PHONE_DIGITS && digits <= MAX_PHONE_DIGITS;
        return fits && isDigit(text, start + prefix) ? end : start;
    }

    // 212-555-0123, 212.555.0123, 212 555 0123, (212) 555-0123
    private static int northAmericanEnd(String text, int start) {
        int at = start;
        boolean bracket = text.charAt(at) == '(';
        at += bracket ? 1 : 0;
        for (int place = 0; place < NORTH_AMERICA.length(); place++) {
            if (NORTH_AMERICA.charAt(place) == 'd') {
                if (!isDigit(text, at)) {
                    return start;
                }
                at++;
            } else {
                boolean closes = bracket && place == 3;
                if (closes && !text.startsWith(")", at)) {
                    return start;
                }
                at += closes ? 1 : 0;
                boolean separated = at < text.length() && " -.".indexOf(text.charAt(at)) >= 0;
                if (!separated && !closes) {
                    return start;
                }
                at += separated ? 1 : 0;
            }
        }
        return isDigit(text, at) ? start : at;
    }
}
