/** Several servers on one database: checks that all of them share the same files. */
@NullMarked
package dev.toolgate.server.operate.instance;

import org.jspecify.annotations.NullMarked;
