/** API keys and console log-ins, stored without their secrets. */
@NullMarked
package dev.toolgate.store.identity;

import org.jspecify.annotations.NullMarked;
