package dev.toolgate.store.s3;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Gets in touch with a bucket. */
final class S3Connection {
    private static final Logger LOG = LoggerFactory.getLogger(S3Connection.class);
    private static final Duration CONNECTING = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration ONE_ATTEMPT = Duration.ofMinutes(2);
    private static final Duration ALL_ATTEMPTS = Duration.ofMinutes(5);

    private S3Connection() {}

    /** A client whose bucket was found not to be missing or closed to us. */
    static S3Client open(S3Settings settings) throws IOException {
        return checked(unchecked(settings), settings.bucket());
    }

    static S3Client unchecked(S3Settings settings) throws IOException {
        S3ClientBuilder client = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECTING)
                        .socketTimeout(SILENCE))
                .overrideConfiguration(
                        times -> times.apiCallAttemptTimeout(ONE_ATTEMPT).apiCallTimeout(ALL_ATTEMPTS))
                // What newer clients add by themselves is not understood by every server that speaks like S3; the
                // bytes have a hash of ours.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(settings.addressing() == S3Settings.Addressing.IN_PATH)
                        .chunkedEncodingEnabled(false)
                        .build())
                .credentialsProvider(credentials(settings));
        if (settings.endpoint() != null) {
            client.endpointOverride(settings.endpoint());
        }
        if (settings.region() != null) {
            client.region(Region.of(settings.region()));
        } else if (settings.endpoint() != null) {
            client.region(Region.US_EAST_1); // others than AWS want one to sign with, and do not care which
        }
        try {
            return client.build();
        } catch (SdkException incomplete) {
            throw new IOException("S3 cannot be used: " + incomplete.getMessage(), incomplete);
        }
    }

    private static AwsCredentialsProvider credentials(S3Settings settings) {
        S3Settings.Key key = settings.key();
        return key == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(AwsBasicCredentials.create(key.id(), key.secret()));
    }

    // What cannot be reached now may be reached later; what is refused now stays refused.
    private static S3Client checked(S3Client client, String bucket) throws IOException {
        try {
            client.headBucket(request -> request.bucket(bucket));
        } catch (S3Exception refused) {
            if (refused.statusCode() == 404 || refused.statusCode() == 403) {
                client.close();
                throw new IOException(
                        "The bucket '" + bucket + "' cannot be used: "
                                + (refused.statusCode() == 404 ? "there is none of this name" : "access is denied")
                                + "; check artifacts.bucket, its region and the access key.",
                        refused);
            }
            LOG.warn("The bucket '{}' does not answer as it should: {}", bucket, refused.getMessage());
        } catch (SdkException unreachable) {
            LOG.warn("The bucket '{}' cannot be reached now: {}", bucket, unreachable.getMessage());
        }
        return client;
    }
}
