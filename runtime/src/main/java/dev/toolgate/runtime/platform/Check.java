package dev.toolgate.runtime.platform;

/**
 * One thing the runtime needs, looked at on this machine.
 *
 * @param name what was checked
 * @param ok whether it is as it should be
 * @param detail what was found
 * @param fix the exact step that puts it right; empty if nothing is wrong
 */
public record Check(String name, boolean ok, String detail, String fix) {

    /** A check with nothing to fix. */
    public static Check passed(String name, String detail) {
        return new Check(name, true, detail, "");
    }
}
