/** Tools that process data with scripts, which run confined and see only their input. */
@NullMarked
package dev.toolgate.runtime.tools.data;

import org.jspecify.annotations.NullMarked;
