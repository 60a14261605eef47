/** Scheduled jobs, each run once for all instances. */
@NullMarked
package dev.toolgate.server.operate.jobs;

import org.jspecify.annotations.NullMarked;
