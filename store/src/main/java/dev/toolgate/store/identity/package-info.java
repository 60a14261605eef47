/** Keys, and people logged in with them: what is kept of them, which is never the secret itself. */
@NullMarked
package dev.toolgate.store.identity;

import org.jspecify.annotations.NullMarked;
