/** JSON bodies: parsed within limits, bound to records, written. */
@NullMarked
package dev.toolgate.http.json;

import org.jspecify.annotations.NullMarked;
