/** Declaring settings as record components. */
@NullMarked
package dev.toolgate.core.setting;

import org.jspecify.annotations.NullMarked;
