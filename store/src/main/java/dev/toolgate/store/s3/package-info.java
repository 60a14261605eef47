/** Artifacts and checkpoints in an S3-compatible bucket. */
@NullMarked
package dev.toolgate.store.s3;

import org.jspecify.annotations.NullMarked;
