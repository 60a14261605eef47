/** The databases, vaults and builds that remote tools use, from settings and environment. */
@NullMarked
package dev.toolgate.server.remote;

import org.jspecify.annotations.NullMarked;
