package dev.toolgate.store.identity;

/**
 * Something encrypted.
 *
 * @param keyId which key it is encrypted with; not the key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SealedBytes(String keyId, byte[] bytes) {
    @Override
    public String toString() {
        return "SealedBytes of key " + keyId;
    }
}
