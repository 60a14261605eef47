package dev.toolgate.runtime.platform;

/** What Linux and macOS have in common: slashes, case matters, signals to process groups. */
abstract sealed class UnixPlatform implements Platform permits LinuxPlatform, MacPlatform {
    private final String home;
    private final int pathMax;

    /** @param pathMax the first length of a path, in bytes, that is too long */
    UnixPlatform(String home, int pathMax) {
        this.home = home;
        this.pathMax = pathMax;
    }

    @Override
    public final char separator() {
        return '/';
    }

    @Override
    public final boolean isAbsolute(String path) {
        return UnixPaths.isAbsolute(path);
    }

    @Override
    public final String normalize(String path, String base) throws InvalidPath {
        return UnixPaths.normalize(path, base, home, pathMax);
    }

    // A volume can be formatted either way; a list of names to refuse should ignore case on its own account.
    @Override
    public final boolean ignoresCase() {
        return false;
    }

    @Override
    public final String normalizeLineEndings(String text) {
        return text;
    }
}
