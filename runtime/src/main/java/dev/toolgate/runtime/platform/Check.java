package dev.toolgate.runtime.platform;

/**
 * The result of checking one requirement of the runtime on this machine.
 *
 * @param name what was checked
 * @param ok whether it passed
 * @param detail what was found
 * @param fix the exact step that fixes it; empty if it passed
 */
public record Check(String name, boolean ok, String detail, String fix) {

    /** A check with nothing to fix. */
    public static Check passed(String name, String detail) {
        return new Check(name, true, detail, "");
    }
}
