package dev.toolgate.bench.chat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** One streamed answer of the scripted model, in chunks that are sent at once. */
final class ModelAnswer {
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String EVENT =
            "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1767225600,\"model\":\"scripted\","
                    + "\"system_fingerprint\":\"fp_1\",\"choices\":[%s],\"usage\":%s}";
    private static final String USAGE = "{\"prompt_tokens\":10,\"completion_tokens\":10,\"total_tokens\":20}";

    private final InputStream in;
    private final OutputStream out;

    ModelAnswer(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Sends the header and the first event, which has no text. */
    void begin() throws IOException {
        out.write(HEAD.getBytes(StandardCharsets.US_ASCII));
        out.write(choice("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null"));
    }

    /** Sends a chunk of text; returns the time just before it was sent. */
    long say(String text) throws IOException {
        return say(piece(text));
    }

    /** The same, with an encoded chunk. */
    long say(byte[] piece) throws IOException {
        long before = System.nanoTime();
        out.write(piece);
        return before;
    }

    void end() throws IOException {
        out.write(choice("{}", "\"stop\""));
        out.write(chunk(EVENT.formatted("", USAGE)));
        out.write(chunk("[DONE]"));
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** Waits until the other side closes the connection; returns that time. */
    long awaitCut() {
        try {
            while (in.read() >= 0) {
                // nothing more is expected
            }
        } catch (IOException reset) {
            // closed too
        }
        return System.nanoTime();
    }

    /** Encodes a chunk of text. */
    static byte[] piece(String text) {
        return choice("{\"content\":\"" + text + "\"}", "null");
    }

    private static byte[] choice(String delta, String finish) {
        String choice = "{\"index\":0,\"delta\":" + delta + ",\"logprobs\":null,\"finish_reason\":" + finish + "}";
        return chunk(EVENT.formatted(choice, "null"));
    }

    private static byte[] chunk(String data) {
        String event = "data: " + data + "\n\n";
        return (Integer.toHexString(event.length()) + "\r\n" + event + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
