/** The tool access API: execute, validate, permissions and the record, and their administration. */
@NullMarked
package dev.toolgate.server.dialect.access;

import org.jspecify.annotations.NullMarked;
