package dev.toolgate.core.memory;

import dev.toolgate.core.port.Memory;
import dev.toolgate.core.port.MemoryContract;

class InMemoryMemoryTest extends MemoryContract {
    private final InMemoryMemory memory = new InMemoryMemory();

    @Override
    protected Memory memory() {
        return memory;
    }
}
