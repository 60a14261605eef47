/** Authentication, principals, roles and rights. */
@NullMarked
package dev.toolgate.core.identity;

import org.jspecify.annotations.NullMarked;
