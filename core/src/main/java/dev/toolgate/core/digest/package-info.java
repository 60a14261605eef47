/** Digests of values too long or too secret to store. */
@NullMarked
package dev.toolgate.core.digest;

import org.jspecify.annotations.NullMarked;
