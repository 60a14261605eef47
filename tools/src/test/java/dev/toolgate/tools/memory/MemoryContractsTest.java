package dev.toolgate.tools.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.memory.InMemoryMemory;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

class MemoryContractsTest {
    private static final Map<String, ?> KEY = Map.of("key", "k");

    private static Memory remembering() {
        InMemoryMemory memory = new InMemoryMemory();
        memory.save(Caller.local().tenant(), Caller.local().agent(), new Memory.Item("k", "v", List.of("t")), 10);
        return memory;
    }

    private static final Memory OUT_OF_REACH = new Memory() {
        @Override
        public OptionalLong save(TenantId tenant, AgentId agent, Item item, int maxItems) {
            throw new Unavailable("It cannot be reached now; try again shortly.", null);
        }

        @Override
        public List<StoredItem> find(TenantId tenant, AgentId agent, Criteria question) {
            throw new Unavailable("It cannot be reached now; try again shortly.", null);
        }

        @Override
        public boolean replace(
                TenantId tenant,
                AgentId agent,
                String key,
                @Nullable Item expected,
                @Nullable Item wanted,
                int maxItems) {
            throw new Unavailable("It cannot be reached now; try again shortly.", null);
        }

        @Override
        public boolean delete(TenantId tenant, AgentId agent, String key) {
            throw new Unavailable("It cannot be reached now; try again shortly.", null);
        }
    };

    /** Only waits for the store, which has its own time limit. */
    abstract static class OfMemory extends ToolContract {
        @Override
        protected Optional<Map<String, ?>> endless() {
            return Optional.empty();
        }

        static Trouble outage(Tool<?> tool, Map<String, ?> arguments) {
            return new Trouble(
                    "the store is unavailable", tool, arguments, ErrorCode.SERVICE_UNAVAILABLE, "cannot be reached");
        }
    }

    @Nested
    class Save extends OfMemory {
        private static final Map<String, ?> GOOD = Map.of("key", "new", "value", "v", "tags", List.of("t"));

        @Override
        protected Tool<?> tool() {
            return new MemorySaveTool(remembering(), MemoryLimits.standard());
        }

        @Override
        protected Map<String, ?> good() {
            return GOOD;
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    new Trouble(
                            "the memory is full",
                            new MemorySaveTool(remembering(), new MemoryLimits(10, 1)),
                            GOOD,
                            ErrorCode.TOOL_EXECUTION_FAILED,
                            "full",
                            "memory_delete"),
                    new Trouble(
                            "the value is too large",
                            new MemorySaveTool(remembering(), new MemoryLimits(1, 10)),
                            Map.of("key", "k", "value", "12"),
                            ErrorCode.INVALID_REQUEST,
                            "value"),
                    outage(new MemorySaveTool(OUT_OF_REACH, MemoryLimits.standard()), GOOD));
        }
    }

    @Nested
    class Retrieve extends OfMemory {
        @Override
        protected Tool<?> tool() {
            return new MemoryRetrieveTool(remembering());
        }

        @Override
        protected Map<String, ?> good() {
            return KEY;
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    new Trouble("an invalid key", tool(), Map.of("key", "\n"), ErrorCode.INVALID_REQUEST, "key"),
                    new Trouble(
                            "a query that is too long",
                            tool(),
                            Map.of("query", "x".repeat(2000)),
                            ErrorCode.INVALID_REQUEST,
                            "query"),
                    outage(new MemoryRetrieveTool(OUT_OF_REACH), KEY));
        }
    }

    @Nested
    class Delete extends OfMemory {
        @Override
        protected Tool<?> tool() {
            return new MemoryDeleteTool(remembering());
        }

        @Override
        protected Map<String, ?> good() {
            return KEY;
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    new Trouble(
                            "an unknown key",
                            tool(),
                            Map.of("key", "other"),
                            ErrorCode.KEY_NOT_FOUND,
                            "other",
                            "memory_retrieve"),
                    outage(new MemoryDeleteTool(OUT_OF_REACH), KEY));
        }
    }
}
