/** Routes, who may use them, the exchange a handler works with, and the limits on requests in flight. */
@NullMarked
package dev.toolgate.http.routing;

import org.jspecify.annotations.NullMarked;
