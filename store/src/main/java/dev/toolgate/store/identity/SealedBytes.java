package dev.toolgate.store.identity;

/**
 * Encrypted bytes.
 *
 * @param keyId the id of the encryption key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SealedBytes(String keyId, byte[] bytes) {
    @Override
    public String toString() {
        return "SealedBytes of key " + keyId;
    }
}
