/** Differences between operating systems: paths, shells, encodings, accounts, native calls. */
@NullMarked
package dev.toolgate.runtime.platform;

import org.jspecify.annotations.NullMarked;
