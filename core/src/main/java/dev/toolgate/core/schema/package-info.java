/** JSON Schema from argument records, and validation of arguments. */
@NullMarked
package dev.toolgate.core.schema;

import org.jspecify.annotations.NullMarked;
