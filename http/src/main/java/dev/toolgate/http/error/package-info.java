/** HTTP errors, and the shape each API writes them in. */
@NullMarked
package dev.toolgate.http.error;

import org.jspecify.annotations.NullMarked;
