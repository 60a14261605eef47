/** Compares the permission decisions of several engines with the same data. */
@NullMarked
package dev.toolgate.bench.decision;

import org.jspecify.annotations.NullMarked;
