/** How a part says what can be set for it: a record whose components are its settings. */
@NullMarked
package dev.toolgate.core.setting;

import org.jspecify.annotations.NullMarked;
