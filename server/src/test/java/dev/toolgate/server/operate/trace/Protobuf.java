package dev.toolgate.server.operate.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A minimal protobuf reader: the length-delimited fields of a message. */
public final class Protobuf {
    private record Field(int number, ByteBuffer bytes) {}

    private final List<Field> fields = new ArrayList<>();

    Protobuf(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        while (in.hasRemaining()) {
            int tag = (int) varint(in);
            switch (tag & 7) {
                case 0 -> varint(in);
                case 1 -> in.getLong();
                case 2 -> {
                    byte[] bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                    fields.add(new Field(tag >>> 3, ByteBuffer.wrap(bytes)));
                }
                case 5 -> in.getInt();
                default -> throw new IllegalArgumentException("wire type " + (tag & 7));
            }
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte part = in.get();
            value |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return value;
            }
        }
    }

    private List<byte[]> all(int number) {
        return fields.stream()
                .filter(field -> field.number() == number)
                .map(field -> field.bytes().array())
                .toList();
    }

    public List<Protobuf> messages(int number) {
        return all(number).stream().map(Protobuf::new).toList();
    }

    public String text(int number) {
        return all(number).isEmpty() ? "" : new String(all(number).getFirst(), StandardCharsets.UTF_8);
    }

    public String hex(int number) {
        return all(number).isEmpty() ? "" : HexFormat.of().formatHex(all(number).getFirst());
    }

    /** Key-value pairs with text values, in the field of this number. */
    public Map<String, String> attributes(int number) {
        return messages(number).stream().collect(Collectors.toMap(pair -> pair.text(1), pair -> pair.messages(2)
                .getFirst()
                .text(1)));
    }
}
