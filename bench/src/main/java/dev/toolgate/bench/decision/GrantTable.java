package dev.toolgate.bench.decision;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The grants and queries for all engines: each agent has a random half of the tools; the same in every run. */
final class GrantTable {
    static final int AGENTS = 10_000;
    static final int TOOLS = 100;

    /** Several queries per agent. */
    static final int QUESTIONS = 1 << 16;

    /** Which queries are made. */
    enum Asked {
        /** Any agent and any tool; half of the answers are negative. */
        ANYTHING,
        ONLY_GRANTED
    }

    private final BitSet[] granted = new BitSet[AGENTS];
    private final int[] askedAgent = new int[QUESTIONS];
    private final int[] askedTool = new int[QUESTIONS];

    GrantTable(Asked asked) {
        Random random = new Random(3);
        List<Integer> tools = new ArrayList<>(IntStream.range(0, TOOLS).boxed().toList());
        for (int agent = 0; agent < AGENTS; agent++) {
            Collections.shuffle(tools, random);
            granted[agent] = new BitSet(TOOLS);
            tools.subList(0, TOOLS / 2).forEach(granted[agent]::set);
        }
        int found = 0;
        while (found < QUESTIONS) {
            askedAgent[found] = random.nextInt(AGENTS);
            askedTool[found] = random.nextInt(TOOLS);
            if (asked == Asked.ANYTHING || isGranted(found)) {
                found++;
            }
        }
    }

    static String agent(int agent) {
        return "agent-" + agent;
    }

    static String tool(int tool) {
        return "tool-" + tool;
    }

    /** The tools granted to an agent. */
    IntStream granted(int agent) {
        return granted[agent].stream();
    }

    int askedAgent(int question) {
        return askedAgent[question];
    }

    int askedTool(int question) {
        return askedTool[question];
    }

    /** The correct answer. */
    boolean isGranted(int question) {
        return granted[askedAgent[question]].get(askedTool[question]);
    }
}
