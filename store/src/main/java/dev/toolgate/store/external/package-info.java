/** Tools that run elsewhere, as operators have registered them. */
@NullMarked
package dev.toolgate.store.external;

import org.jspecify.annotations.NullMarked;
