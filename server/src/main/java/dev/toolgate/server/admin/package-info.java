/** Administration on record. */
@NullMarked
package dev.toolgate.server.admin;

import org.jspecify.annotations.NullMarked;
