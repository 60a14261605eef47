package dev.toolgate.runtime.platform;

import java.util.regex.Pattern;

/** Which names Windows gives another meaning than that of a file with this name. */
final class WindowsNames {
    private static final int LONGEST = 255;
    private static final Pattern FORBIDDEN = Pattern.compile("[\\x00-\\x1f<>\"|?*]");
    private static final Pattern DEVICE = Pattern.compile(
            "(CON|PRN|AUX|NUL|CLOCK\\$|CONIN\\$|CONOUT\\$|(COM|LPT)[0-9\u00B9\u00B2\u00B3])[ ]*([.:].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private WindowsNames() {}

    static void check(String name) throws InvalidPath {
        if (name.length() > LONGEST) {
            throw new InvalidPath("A name in the path is longer than " + LONGEST + " characters");
        }
        if (DEVICE.matcher(name).matches()) {
            throw new InvalidPath("The path contains '" + name + "', which names a device, not a file");
        }
        if (name.indexOf(':') >= 0) {
            throw new InvalidPath("The path contains a colon, which would name a stream inside a file");
        }
        if (FORBIDDEN.matcher(name).find()) {
            throw new InvalidPath("The path contains a character that no file name can have: one of < > \" | ? *"
                    + " or a control character");
        }
        // Windows drops these silently, so the name would mean another file than it seems to.
        if (name.endsWith(".") || name.endsWith(" ")) {
            throw new InvalidPath("The path contains a name that ends with a dot or a space");
        }
    }
}
