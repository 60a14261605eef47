/** The ports, kept in memory: for embedding, for tests, and as the model for durable versions. */
@NullMarked
package dev.toolgate.core.memory;

import org.jspecify.annotations.NullMarked;
