package dev.toolgate.store.s3;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The bytes of an object; closing it early aborts the connection instead of reading the rest. */
final class ObjectStream extends FilterInputStream {
    private final ResponseInputStream<GetObjectResponse> object;
    private long left;

    ObjectStream(ResponseInputStream<GetObjectResponse> object, long length) {
        super(object);
        this.object = object;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int single = super.read();
        left -= single < 0 ? 0 : 1;
        return single;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        left -= Math.max(0, read);
        return read;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        if (left > 0) {
            object.abort();
        } else {
            super.close();
        }
    }
}
