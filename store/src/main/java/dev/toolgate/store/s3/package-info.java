/** The bytes of artifacts in a bucket of S3, or of something that speaks like it. */
@NullMarked
package dev.toolgate.store.s3;

import org.jspecify.annotations.NullMarked;
