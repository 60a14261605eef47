package dev.toolgate.tools.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a Chromium may be, and how it is started. */
final class Chromium {
    /** Beneath {@code /usr}, because that is what a sandbox shows; programs before the scripts that start them. */
    private static Stream<String> places() {
        return Stream.of(
                "/usr/lib/chromium/chromium",
                "/usr/lib64/chromium-browser/chromium-browser",
                "/usr/lib/chromium/chromium-launcher.sh",
                "/usr/bin/chromium",
                "/usr/bin/chromium-browser");
    }

    /**
     * One page, printed as HTML once its scripts are done. Its own sandbox needs what ours takes away. Everything goes
     * through the proxy, what is addressed to loopback too; there is no other way in any case.
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
