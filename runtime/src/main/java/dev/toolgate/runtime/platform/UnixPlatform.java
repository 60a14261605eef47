package dev.toolgate.runtime.platform;

/** Common parts of Linux and macOS: path notation, case-sensitive names, line endings. */
abstract sealed class UnixPlatform implements Platform permits LinuxPlatform, MacPlatform {
    private final String home;
    private final int pathMax;

    /** @param pathMax the maximum length of a path in bytes, terminating NUL included */
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

    // A volume can be formatted either way, so deny lists of names ignore case themselves.
    @Override
    public final boolean ignoresCase() {
        return false;
    }

    @Override
    public final String normalizeLineEndings(String text) {
        return text;
    }
}
