package dev.toolgate.bench.decision;

import java.io.Closeable;
import java.io.IOException;

/** One way to answer whether an agent may use a tool, with every grant loaded and its questions prepared. */
interface Engine extends Closeable {

    /** The engine's own answer to one of the questions of {@link GrantTable}. */
    Object ask(int question) throws Exception;

    /** What such an answer means. */
    boolean isYes(Object answer);

    @Override
    default void close() throws IOException {}
}
