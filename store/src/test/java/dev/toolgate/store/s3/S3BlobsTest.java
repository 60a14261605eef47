package dev.toolgate.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.artifact.Blobs;
import dev.toolgate.core.artifact.BlobsContract;
import dev.toolgate.core.artifact.ByteRange;
import dev.toolgate.core.artifact.HashedFile;
import dev.toolgate.core.call.TenantId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

class S3BlobsTest extends BlobsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final int LARGE = 40 << 20; // two parts and a bit

    @TempDir
    private static Path folder;

    private static S3Server server;

    @TempDir
    private Path spool;

    @BeforeAll
    static void start() throws IOException {
        server = S3Server.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Blobs blobs() throws IOException {
        return S3Blobs.open(S3Server.settings(server.newBucket(spool), "some/prefix/", server.endpoint(), spool));
    }

    @Test
    void large_blobs_are_uploaded_in_parts_and_read_whole_or_in_ranges() throws Exception {
        Blobs blobs = blobs();
        byte[] bytes = new byte[LARGE];
        new Random(7).nextBytes(bytes);

        Blobs.Blob blob = blobs.write(ACME, new ByteArrayInputStream(bytes));

        assertThat(blob.size()).isEqualTo(LARGE);
        Path copy = spool.resolve("copy");
        try (InputStream whole = blobs.open(ACME, blob.place(), ByteRange.whole(LARGE))) {
            Files.copy(whole, copy);
        }
        assertThat(HashedFile.read(copy).sha256()).isEqualTo(blob.sha256());
        try (InputStream part = blobs.open(ACME, blob.place(), new ByteRange((16 << 20) - 3, 6))) {
            assertThat(part.readAllBytes())
                    .isEqualTo(java.util.Arrays.copyOfRange(bytes, (16 << 20) - 3, (16 << 20) + 3));
        }
        try (InputStream begun = blobs.open(ACME, blob.place(), ByteRange.whole(LARGE))) {
            assertThat(begun.read()).isEqualTo(bytes[0] & 0xff); // closing it early must work
        }
    }

    @Test
    void a_failed_upload_leaves_only_parts_that_are_removed_later() throws Exception {
        String bucket = server.newBucket(spool);
        try (BreakingRelay relay = new BreakingRelay(server.port(), 25 << 20);
                S3Blobs broken = S3Blobs.open(S3Server.settings(bucket, "", relay.endpoint(), spool));
                S3Blobs direct = S3Blobs.open(S3Server.settings(bucket, "", server.endpoint(), spool));
                S3Client client = server.client(spool)) {
            assertThatThrownBy(() -> broken.write(ACME, new ByteArrayInputStream(new byte[LARGE])))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("The artifact could not be stored in the bucket");

            assertThat(client.listObjectsV2(request -> request.bucket(bucket)).contents())
                    .noneMatch(object -> object.size() == LARGE);
            assertThat(spool).isEmptyDirectory();
            direct.removeUnfinished(Instant.now().plusSeconds(3600));
            assertThat(client.listMultipartUploads(request -> request.bucket(bucket))
                            .uploads())
                    .isEmpty();
        }
    }

    @Test
    void a_missing_bucket_is_reported_at_once() {
        assertThatThrownBy(() -> S3Blobs.open(S3Server.settings("no-such-bucket", "", server.endpoint(), spool)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it does not exist");
    }

    @Test
    void an_unreachable_bucket_does_not_prevent_the_start() throws Exception {
        try (S3Blobs away = S3Blobs.open(S3Server.settings("b", "", URI.create("http://127.0.0.1:1"), spool))) {
            assertThatThrownBy(() -> away.write(ACME, new ByteArrayInputStream(new byte[10])))
                    .isInstanceOf(IOException.class);
            assertThat(spool).isEmptyDirectory();
        }
    }

    @Test
    void the_secret_of_the_key_is_not_shown() {
        assertThat(S3Server.settings("b", "", server.endpoint(), spool).toString())
                .doesNotContain("test-credential");
    }
}
