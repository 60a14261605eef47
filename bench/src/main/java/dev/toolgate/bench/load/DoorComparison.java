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
final class DoorComparison {
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

    /** One door in one round; time and CPU time for each response, in microseconds. */
    record Sample(double elapsed, double processor) {
        private static Sample of(Load.Result load, CpuTime cpuTime) {
            return new Sample(
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
            Duration duration)
            throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Map.Entry<String, ? extends Supplier<RequestSequence>> door : requests.entrySet()) {
                CpuTime before = CpuTime.now();
                Load.Result result = Load.run(port, door.getValue(), connections, duration);
                if (round >= 0) {
                    samples.computeIfAbsent(door.getKey(), _ -> new ArrayList<>())
                            .add(Sample.of(result, CpuTime.now().since(before)));
                }
            }
        }
    }

    /** The doors in their order. */
    Iterable<String> doors() {
        return samples.keySet();
    }

    /** The median over the rounds. */
    double median(String door, ToDoubleFunction<Sample> value) {
        return median(of(door).stream().mapToDouble(value).toArray());
    }

    /** The median of the ratios per round. */
    double ratio(String of, String to, ToDoubleFunction<Sample> value) {
        double[] ratios = new double[of(of).size()];
        Arrays.setAll(ratios, round -> value.applyAsDouble(of(of).get(round)) / value.applyAsDouble(of(to).get(round)));
        return median(ratios);
    }

    private List<Sample> of(String door) {
        return samples.getOrDefault(door, List.of());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
