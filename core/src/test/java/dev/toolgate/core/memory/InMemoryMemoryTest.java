package dev.toolgate.core.memory;

class InMemoryMemoryTest extends MemoryContract {
    private final InMemoryMemory memory = new InMemoryMemory();

    @Override
    protected Memory memory() {
        return memory;
    }
}
