/** Commands that read, export and verify the audit log. */
@NullMarked
package dev.toolgate.cli.audit;

import org.jspecify.annotations.NullMarked;
