package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.junit.jupiter.api.Test;

/**
 * Tests the units and terms of a map, and the map that {@link FeatureMap#restrict} returns for some of the units. It is a
 * part of {@link FeatureMapContract}.
 */
public interface MapUnitsContract {
    /** Returns the map under test: an equal map at each call, bit for bit. */
    FeatureMap map();

    /** Returns rows to map, of values that float32 holds exactly. */
    double[][] samples(int columns);

    /** Returns the largest error of float32 features, in units of the length of φ. */
    double floatTolerance();

    /** Returns the largest difference between float64 features of a block and of single rows, in units of the length of φ. */
    double doubleTolerance();

    /** Returns the loaders of the map's saved form, if the map is not one of the library's. */
    default List<MapLoader> loaders() {
        return List.of();
    }

    @Test
    default void everyFeatureIsOfOneUnitAndEveryUnitOfOneTerm() {
        FeatureMap map = map();
        int[] units = map.units();
        int[] terms = map.terms();
        assertEquals(map.outputDimension(), units.length);
        assertEquals(map.outputDimension(), terms.length);
        for (int[] groups : new int[][] {units, terms}) {
            int[] found = Arrays.stream(groups).distinct().sorted().toArray();
            assertArrayEquals(IntStream.range(0, found.length).toArray(), found, "numbers must be counted from 0");
        }
        for (int unit = 0; unit < map.unitCount(); unit++) {
            long termsOfUnit = Arrays.stream(featuresOf(map, unit))
                    .map(feature -> terms[feature])
                    .distinct()
                    .count();
            assertEquals(1, termsOfUnit, "terms of unit " + unit);
        }
    }

    /** Returns the features of some units of a map, ascending. */
    private static int[] featuresOf(FeatureMap map, int... chosen) {
        int[] units = map.units();
        boolean[] wanted = new boolean[map.unitCount()];
        for (int unit : chosen) {
            wanted[unit] = true;
        }
        return IntStream.range(0, units.length)
                .filter(feature -> wanted[units[feature]])
                .toArray();
    }

    @Test
    default void restrictedToHalfOfItsUnitsItMakesTheirFeatures() {
        FeatureMap map = map();
        int[] kept = halfOfTheUnits(map);
        FeatureMap restricted = map.restrict(kept);
        assertMakesFeatures(map, kept, restricted);
        assertEquals(Math.max(1, map.unitCount() / 2), restricted.unitCount());
        int[] left = halfOfTheUnits(restricted);
        int[] leftOfAll = Arrays.stream(left).map(j -> kept[j]).toArray();
        assertMakesFeatures(map, leftOfAll, restricted.restrict(left));
        FeatureMap loaded = FeatureMaps.load(restricted.state(), loaders().toArray(MapLoader[]::new));
        assertEquals(restricted.state(), loaded.state());
        assertMakesFeatures(map, kept, loaded);
    }

    @Test
    default void restrictedToAllItsFeaturesItIsTheSame() {
        FeatureMap map = map();
        int[] all = IntStream.range(0, map.outputDimension()).toArray();
        assertEquals(map.state(), map.restrict(all).state());
    }

    @Test
    default void refusesToKeepAnythingButWholeUnits() {
        FeatureMap map = map();
        assertThrows(IllegalArgumentException.class, map::restrict);
        assertThrows(IllegalArgumentException.class, () -> map.restrict(map.outputDimension()));
        assertThrows(IllegalArgumentException.class, () -> map.restrict(-1));
        int[] unit = featuresOf(map, 0);
        if (unit.length > 1) {
            assertThrows(IllegalArgumentException.class, () -> map.restrict(unit[0]));
            int[] backwards = {unit[1], unit[0]};
            assertThrows(IllegalArgumentException.class, () -> map.restrict(backwards));
        }
    }

    /** Returns the features of every second unit, or of the only unit. */
    private static int[] halfOfTheUnits(FeatureMap map) {
        int[] odd = IntStream.range(0, map.unitCount())
                .filter(unit -> unit % 2 == 1)
                .toArray();
        return featuresOf(map, odd.length == 0 ? new int[] {0} : odd);
    }

    /** Fails unless {@code restricted} computes the kept features of {@code map}, by every method that computes features. */
    private void assertMakesFeatures(FeatureMap map, int[] kept, FeatureMap restricted) {
        double[][] rows = samples(map.inputDimension());
        assertEquals(map.inputDimension(), restricted.inputDimension());
        assertEquals(kept.length, restricted.outputDimension());
        double length = ContractRows.longest(map, rows);
        for (RowBlock block : new RowBlock[] {ContractRows.dense(rows), ContractRows.sparse(rows)}) {
            double[] all = new double[rows.length * map.outputDimension()];
            map.apply(block, all, 0, map.outputDimension());
            float[] floats = ContractRows.floatFeatures(restricted, block);
            double[] doubles = new double[floats.length];
            restricted.apply(block, doubles, 0, kept.length);
            double[] sparse = new double[kept.length];
            for (int i = 0; i < rows.length; i++) {
                double[] single = new double[kept.length];
                restricted.apply(rows[i], single);
                boolean alsoSparse = map.keepsSparsity() && block instanceof SparseRows;
                if (alsoSparse) {
                    restricted.apply((SparseRows) block).copyRow(i, sparse);
                }
                for (int j = 0; j < kept.length; j++) {
                    double expected = all[i * map.outputDimension() + kept[j]];
                    ContractRows.assertNear(expected, single[j], doubleTolerance() * length, i, j);
                    ContractRows.assertNear(expected, doubles[i * kept.length + j], doubleTolerance() * length, i, j);
                    ContractRows.assertNear(expected, floats[i * kept.length + j], floatTolerance() * length, i, j);
                    if (alsoSparse) {
                        ContractRows.assertNear(expected, sparse[j], floatTolerance() * length, i, j);
                    }
                }
            }
        }
        assertEquals(map.keepsSparsity(), restricted.keepsSparsity());
    }
}
