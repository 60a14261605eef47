package dev.toolgate.tools.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Renders pages whose content is created by scripts. */
public interface Renderer extends AutoCloseable {
    /** Renders nothing. */
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
     * The HTML after scripts have run; empty if the page cannot be rendered.
     *
     * @param domains the only hosts the page may reach; {@code null} allows all
     */
    Optional<String> render(String url, @Nullable List<String> domains, Duration limit) throws InterruptedException;

    @Override
    void close();
}
