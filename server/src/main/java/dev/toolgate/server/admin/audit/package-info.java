/** Reading the audit log over HTTP: queries, export, verification, checkpoints and a live stream. */
@NullMarked
package dev.toolgate.server.admin.audit;

import org.jspecify.annotations.NullMarked;
