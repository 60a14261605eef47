/** Routes, access control, the exchange that handlers use, and limits on running requests. */
@NullMarked
package dev.toolgate.http.routing;

import org.jspecify.annotations.NullMarked;
