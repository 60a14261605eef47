/** JSON Schemas made from argument records, and arguments checked against them in plain words. */
@NullMarked
package dev.toolgate.core.schema;

import org.jspecify.annotations.NullMarked;
