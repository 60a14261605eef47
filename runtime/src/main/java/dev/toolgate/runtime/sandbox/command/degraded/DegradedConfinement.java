package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.runtime.sandbox.command.Confinement;

/** Describes what the degraded sandbox does not prevent on this kernel, and the fix. */
final class DegradedConfinement {
    private static final int FIRST_WITH_SIGNALS = 6;
    private static final String FIX =
            "; install bubblewrap and remove the setting 'sandbox.mode: degraded' (--sandbox degraded).";

    private DegradedConfinement() {}

    static Confinement of(int landlock) {
        if (landlock == 0) {
            return degraded(
                    "seccomp only",
                    "WARNING, DEGRADED: this kernel has no Landlock, so commands can read and change every file"
                            + " their account can, and signal its processes, this server included; only dangerous"
                            + " system calls and the network are refused");
        }
        String signals = landlock < FIRST_WITH_SIGNALS ? ", signal processes of their account" : "";
        return degraded(
                "Landlock " + landlock + " and seccomp",
                "WARNING, DEGRADED: commands can read secrets inside the workspace such as .env, change .git/hooks"
                        + signals + " and start any number of processes with 4 GiB of memory each");
    }

    private static Confinement degraded(String how, String what) {
        return new Confinement(Confinement.Level.DEGRADED, how, what + FIX);
    }
}
