/** Benchmarks of conversations, with a scripted model. */
@NullMarked
package dev.toolgate.bench.chat;

import org.jspecify.annotations.NullMarked;
