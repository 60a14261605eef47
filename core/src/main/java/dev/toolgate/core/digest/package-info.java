/** Digests of what is too long or too secret to keep. */
@NullMarked
package dev.toolgate.core.digest;

import org.jspecify.annotations.NullMarked;
