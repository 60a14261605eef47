/** Keeping secrets out of everything that is stored or shown. */
@NullMarked
package dev.toolgate.core.redact;

import org.jspecify.annotations.NullMarked;
