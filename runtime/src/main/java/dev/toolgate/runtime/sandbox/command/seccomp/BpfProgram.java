package dev.toolgate.runtime.sandbox.command.seccomp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Builds a classic BPF program for seccomp, as an array of {@code sock_filter} instructions. */
final class BpfProgram {
    private static final int INSTRUCTION_BYTES = 8;

    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int JUMP_IF_ANY_BIT = 0x45;
    private static final int RETURN = 0x06;

    private static final int NUMBER_OFFSET = 0;
    private static final int ARCHITECTURE_OFFSET = 4;
    private static final int ARGUMENTS_OFFSET = 16;

    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int ERRNO = 0x0005_0000;
    private static final int ALLOW = 0x7FFF_0000;

    private final ByteArrayOutputStream instructions = new ByteArrayOutputStream();

    BpfProgram loadNumber() {
        return add(LOAD_WORD, 0, 0, NUMBER_OFFSET);
    }

    BpfProgram loadArchitecture() {
        return add(LOAD_WORD, 0, 0, ARCHITECTURE_OFFSET);
    }

    /** The low half of an argument; both architectures are little-endian, so it comes first. */
    BpfProgram loadArgument(int index) {
        return add(LOAD_WORD, 0, 0, ARGUMENTS_OFFSET + 8 * index);
    }

    BpfProgram skipIfEqual(int value, int instructionsToSkip) {
        return add(JUMP_IF_EQUAL, instructionsToSkip, 0, value);
    }

    BpfProgram skipUnlessEqual(int value, int instructionsToSkip) {
        return add(JUMP_IF_EQUAL, 0, instructionsToSkip, value);
    }

    BpfProgram skipUnlessAtLeast(int value, int instructionsToSkip) {
        return add(JUMP_IF_AT_LEAST, 0, instructionsToSkip, value);
    }

    BpfProgram skipUnlessAnyBit(int bits, int instructionsToSkip) {
        return add(JUMP_IF_ANY_BIT, 0, instructionsToSkip, bits);
    }

    BpfProgram allow() {
        return add(RETURN, 0, 0, ALLOW);
    }

    BpfProgram refuse(int errno) {
        return add(RETURN, 0, 0, ERRNO | errno);
    }

    BpfProgram kill() {
        return add(RETURN, 0, 0, KILL_PROCESS);
    }

    BpfProgram append(BpfProgram other) {
        instructions.writeBytes(other.toBytes());
        return this;
    }

    int length() {
        return instructions.size() / INSTRUCTION_BYTES;
    }

    byte[] toBytes() {
        return instructions.toByteArray();
    }

    private BpfProgram add(int code, int ifTrue, int ifFalse, int operand) {
        if (ifTrue > 255 || ifFalse > 255) {
            throw new IllegalStateException("A jump in the filter is longer than 255 instructions");
        }
        instructions.writeBytes(ByteBuffer.allocate(INSTRUCTION_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) code)
                .put((byte) ifTrue)
                .put((byte) ifFalse)
                .putInt(operand)
                .array());
        return this;
    }
}
