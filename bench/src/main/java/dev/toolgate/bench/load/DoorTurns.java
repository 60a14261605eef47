package dev.toolgate.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The same call through several doors of one server, alternately, so that other load is about the same for all. */
final class DoorTurns {
    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    /** One door in one round; time and CPU time for each response, in microseconds. */
    record Turn(double elapsed, double processor) {
        private static Turn of(Load.Result load, CpuTime cpuTime) {
            return new Turn(
                    1e6 / load.rate(), cpuTime.own().plus(cpuTime.database()).toNanos() / 1e3 / load.nanos().length);
        }
    }

    /** Measures after some rounds of warming up. */
    void measure(
            int port,
            Map<String, ? extends Supplier<RequestSequence>> requests,
            int connections,
            int warmUps,
            int rounds,
            Duration turn)
            throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Map.Entry<String, ? extends Supplier<RequestSequence>> door : requests.entrySet()) {
                CpuTime before = CpuTime.now();
                Load.Result result = Load.run(port, door.getValue(), connections, turn);
                if (round >= 0) {
                    turns.computeIfAbsent(door.getKey(), _ -> new ArrayList<>())
                            .add(Turn.of(result, CpuTime.now().since(before)));
                }
            }
        }
    }

    /** The doors in their order. */
    Iterable<String> doors() {
        return turns.keySet();
    }

    /** The median over the rounds. */
    double median(String door, ToDoubleFunction<Turn> value) {
        return median(of(door).stream().mapToDouble(value).toArray());
    }

    /** The median of the ratios per round. */
    double ratio(String of, String to, ToDoubleFunction<Turn> value) {
        double[] ratios = new double[of(of).size()];
        Arrays.setAll(ratios, round -> value.applyAsDouble(of(of).get(round)) / value.applyAsDouble(of(to).get(round)));
        return median(ratios);
    }

    private List<Turn> of(String door) {
        return turns.getOrDefault(door, List.of());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
