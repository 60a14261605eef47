package dev.toolgate.cli.chat;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A terminal whose lines a test types. */
public final class TypedLines implements Keyboard.Lines {
    private final BlockingQueue<List<Optional<String>>> pastes = new LinkedBlockingQueue<>();
    private final Queue<Optional<String>> rest = new ConcurrentLinkedQueue<>();
    private volatile boolean isCertain = true;

    /** Lines that arrive together. */
    public void type(String... lines) {
        pastes.add(Stream.of(lines).map(Optional::of).toList());
    }

    public void end() {
        pastes.add(List.of(Optional.empty()));
    }

    /** An unfinished line cannot be dropped. */
    void keepsUnfinishedLines() {
        isCertain = false;
    }

    @Override
    public @Nullable String line() {
        if (rest.isEmpty()) {
            try {
                rest.addAll(pastes.take());
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }
        return more();
    }

    @Override
    public @Nullable String more() {
        Optional<String> next = rest.poll();
        return next == null ? null : next.orElse(null);
    }

    @Override
    public boolean drop() {
        rest.clear();
        pastes.clear();
        return isCertain;
    }

    @Override
    public boolean isCut(String line) {
        return line.length() >= 4095;
    }
}
