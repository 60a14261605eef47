package dev.toolgate.tools.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds an installed Chromium and defines its command line. */
final class Chromium {
    /** Only beneath {@code /usr}, which is visible in the sandbox; binaries before their start scripts. */
    private static Stream<String> places() {
        return Stream.of(
                "/usr/lib/chromium/chromium",
                "/usr/lib64/chromium-browser/chromium-browser",
                "/usr/lib/chromium/chromium-launcher.sh",
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser");
    }

    /**
     * Prints the HTML of one page after its scripts have run. Chromium's own sandbox is off, because it needs rights
     * that ours removes. All traffic uses the proxy, including loopback; there is no other network access.
     */
    static final String COMMAND = """
            exec "$CHROMIUM" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
            --disable-extensions --disable-background-networking --disable-sync --disable-component-update \
            --disable-breakpad --mute-audio --user-data-dir=/tmp/profile \
            --proxy-server="$HTTP_PROXY" --proxy-bypass-list='<-loopback>' \
            --force-webrtc-ip-handling-policy=disable_non_proxied_udp \
            --blink-settings=imagesEnabled=false --virtual-time-budget=10000 --timeout=30000 \
            --dump-dom "$PAGE"
            """;

    private Chromium() {}

    static Optional<Path> find() {
        return places().map(Path::of).filter(Files::isExecutable).findFirst();
    }
}
