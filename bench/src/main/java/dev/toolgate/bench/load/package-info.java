/** Load tests of the whole server over HTTP. */
@NullMarked
package dev.toolgate.bench.load;

import org.jspecify.annotations.NullMarked;
