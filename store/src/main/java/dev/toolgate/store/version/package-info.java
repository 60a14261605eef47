/** Versions that tell whether cached data is still current. */
@NullMarked
package dev.toolgate.store.version;

import org.jspecify.annotations.NullMarked;
