package dev.toolgate.runtime.sandbox.command;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A command backed by a {@link Process}. */
public abstract class ProcessCommand implements RunningCommand {
    private final Process process;

    protected ProcessCommand(Process process) {
        this.process = process;
    }

    @Override
    public final OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public final InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public final InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public final OptionalInt waitFor(Duration timeout) throws InterruptedException {
        return process.waitFor(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }
}
