package dev.toolgate.bench.decision;

import java.io.Closeable;
import java.io.IOException;

/** An engine that decides whether an agent may use a tool, with all grants loaded and queries prepared. */
interface Engine extends Closeable {

    /** The engine's raw answer to one of the queries of {@link GrantTable}. */
    Object ask(int question) throws Exception;

    /** Whether a raw answer allows the use. */
    boolean isYes(Object answer);

    @Override
    default void close() throws IOException {}
}
