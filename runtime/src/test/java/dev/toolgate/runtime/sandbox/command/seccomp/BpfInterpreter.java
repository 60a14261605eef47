package dev.toolgate.runtime.sandbox.command.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Interprets a filter like the kernel, and rejects everything the kernel rejects at load. */
final class BpfInterpreter {
    private static final int MAX_INSTRUCTIONS = 4096;

    private final ByteBuffer program;

    BpfInterpreter(byte[] program) {
        if (program.length == 0 || program.length % 8 != 0 || program.length / 8 > MAX_INSTRUCTIONS) {
            throw new IllegalArgumentException("not a program: " + program.length + " bytes");
        }
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The result of the filter for a system call with up to six arguments. */
    int run(int architecture, int number, long... arguments) {
        ByteBuffer call = ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(number)
                .putInt(architecture);
        call.position(16);
        for (long argument : arguments) {
            call.putLong(argument);
        }
        int accumulator = 0;
        int at = 0;
        while (true) {
            int code = program.getShort(at * 8);
            int ifTrue = Byte.toUnsignedInt(program.get(at * 8 + 2));
            int ifFalse = Byte.toUnsignedInt(program.get(at * 8 + 3));
            int operand = program.getInt(at * 8 + 4);
            at++;
            switch (code) {
                case 0x20 -> accumulator = call.getInt(operand);
                case 0x15 -> at += accumulator == operand ? ifTrue : ifFalse;
                case 0x35 -> at += Integer.compareUnsigned(accumulator, operand) >= 0 ? ifTrue : ifFalse;
                case 0x45 -> at += (accumulator & operand) != 0 ? ifTrue : ifFalse;
                case 0x06 -> {
                    return operand;
                }
                default -> throw new IllegalStateException("unknown instruction " + Integer.toHexString(code));
            }
        }
    }
}
