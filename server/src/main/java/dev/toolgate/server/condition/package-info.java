/** Conditions of grants, written in the Common Expression Language (CEL). */
@NullMarked
package dev.toolgate.server.condition;

import org.jspecify.annotations.NullMarked;
