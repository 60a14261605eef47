/** Side-by-side measurements, each printing a table and its ratio. */
@NullMarked
package dev.toolgate.bench;

import org.jspecify.annotations.NullMarked;
