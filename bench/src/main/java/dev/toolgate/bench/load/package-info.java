/** The whole server under load, over the network. */
@NullMarked
package dev.toolgate.bench.load;

import org.jspecify.annotations.NullMarked;
