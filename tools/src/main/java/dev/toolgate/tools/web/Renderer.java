package dev.toolgate.tools.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a page's scripts and says what has become of it. */
public interface Renderer extends AutoCloseable {
    /** Runs no scripts. */
    Renderer NONE = new Renderer() {
        @Override
        public Optional<String> render(String url, @Nullable List<String> domains, Duration limit) {
            return Optional.empty();
        }

        @Override
        public void close() {
            // nothing was opened
        }
    };

    /**
     * The page as HTML once its scripts have run; empty where it cannot be rendered.
     *
     * @param domains the only hosts the page may reach, if somebody has set any
     */
    Optional<String> render(String url, @Nullable List<String> domains, Duration limit) throws InterruptedException;

    @Override
    void close();
}
