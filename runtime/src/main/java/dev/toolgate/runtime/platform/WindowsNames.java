package dev.toolgate.runtime.platform;

import java.util.regex.Pattern;

/** Refuses file names with a special meaning on Windows. */
final class WindowsNames {
    private static final int MAX_LENGTH = 255;
    private static final Pattern FORBIDDEN = Pattern.compile("[\\x00-\\x1f<>\"|?*]");
    private static final Pattern DEVICE = Pattern.compile(
            "(CON|PRN|AUX|NUL|CLOCK\\$|CONIN\\$|CONOUT\\$|(COM|LPT)[0-9\u00B9\u00B2\u00B3])[ ]*([.:].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private WindowsNames() {}

    static void check(String name) throws InvalidPath {
        if (name.length() > MAX_LENGTH) {
            throw new InvalidPath("A name in the path is longer than " + MAX_LENGTH + " characters");
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
        // Windows drops these silently, so the name would refer to a different file.
        if (name.endsWith(".") || name.endsWith(" ")) {
            throw new InvalidPath("The path contains a name that ends with a dot or a space");
        }
    }
}
