/** What every tenant has for itself: the folder its tools work in. */
@NullMarked
package dev.toolgate.server.tenant;

import org.jspecify.annotations.NullMarked;
