package dev.toolgate.bench.load;

import java.nio.ByteBuffer;

/** The requests of one connection, one after the other. */
interface RequestSequence {
    /** The bytes of the next request. */
    ByteBuffer next();
}
