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

/** Creates S3 clients. */
final class S3Connection {
    private static final Logger LOG = LoggerFactory.getLogger(S3Connection.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration TOTAL_TIMEOUT = Duration.ofMinutes(5);

    private S3Connection() {}

    /** A client, after checking that the bucket exists and access is not denied. */
    static S3Client open(S3Settings settings) throws IOException {
        return checked(unchecked(settings), settings.bucket());
    }

    static S3Client unchecked(S3Settings settings) throws IOException {
        S3ClientBuilder client = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .socketTimeout(READ_TIMEOUT))
                .overrideConfiguration(
                        times -> times.apiCallAttemptTimeout(ATTEMPT_TIMEOUT).apiCallTimeout(TOTAL_TIMEOUT))
                // Not every S3-compatible server supports the default checksums of newer clients; content has its own
                // hash.
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
            client.region(Region.US_EAST_1); // needed for signing; other servers than AWS accept any
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

    // An unreachable server may become reachable; a refused bucket will stay refused.
    private static S3Client checked(S3Client client, String bucket) throws IOException {
        try {
            client.headBucket(request -> request.bucket(bucket));
        } catch (S3Exception refused) {
            if (refused.statusCode() == 404 || refused.statusCode() == 403) {
                client.close();
                throw new IOException(
                        "The bucket '" + bucket + "' cannot be used: "
                                + (refused.statusCode() == 404 ? "it does not exist" : "access is denied")
                                + "; check artifacts.bucket, its region and the access key.",
                        refused);
            }
            LOG.warn("Bucket '{}' returned an error and is retried when it is used: {}", bucket, refused.getMessage());
        } catch (SdkException unreachable) {
            LOG.warn("Bucket '{}' is unreachable and is retried when it is used: {}", bucket, unreachable.getMessage());
        }
        return client;
    }
}
