/** Operating the server: health, metrics, traces, logs, jobs and the instances on one database. */
@NullMarked
package dev.toolgate.server.operate;

import org.jspecify.annotations.NullMarked;
