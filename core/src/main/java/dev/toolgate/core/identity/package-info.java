/** Who makes a request, and what their role may do. */
@NullMarked
package dev.toolgate.core.identity;

import org.jspecify.annotations.NullMarked;
