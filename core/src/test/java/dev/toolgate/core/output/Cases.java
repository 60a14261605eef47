package dev.toolgate.core.output;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Checks a property for random cases, each reproducible by its seed. */
public final class Cases {
    private Cases() {}

    /** A property, which throws if it does not hold. */
    @FunctionalInterface
    public interface Property {
        void check(RandomGenerator random) throws Exception;
    }

    /** Checks the property for this many cases; a failure names the seed of its case. */
    public static void many(int count, Property property) {
        SplittableRandom seeds = new SplittableRandom(new Random().nextLong());
        for (int number = 0; number < count; number++) {
            one(seeds.nextLong(), property);
        }
    }

    /** Repeats one case. */
    public static void one(long seed, Property property) {
        try {
            property.check(new SplittableRandom(seed));
        } catch (Exception | AssertionError failed) {
            throw new AssertionError("The property does not hold for the case with seed " + seed, failed);
        }
    }
}
