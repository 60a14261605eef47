/** Several gates on one database: that all of them see the same files. */
@NullMarked
package dev.toolgate.server.operate.instance;

import org.jspecify.annotations.NullMarked;
