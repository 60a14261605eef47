/** What the remote tools of each tenant work with, from settings and environment. */
@NullMarked
package dev.toolgate.server.remote;

import org.jspecify.annotations.NullMarked;
