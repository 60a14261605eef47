/** Tools that need an external service or library, one package each; not needed for embedding. */
@NullMarked
package dev.toolgate.tools;

import org.jspecify.annotations.NullMarked;
