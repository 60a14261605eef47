/** External tools, which run elsewhere and are registered by operators. */
@NullMarked
package dev.toolgate.store.external;

import org.jspecify.annotations.NullMarked;
