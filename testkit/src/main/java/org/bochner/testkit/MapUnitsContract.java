package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.map.layout.FeatureGroups;
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
        FeatureGroups units = map.units();
        FeatureGroups terms = map.terms();
        assertEquals(map.outputDimension(), units.features());
        assertEquals(map.outputDimension(), terms.features());
        for (FeatureGroups groups : new FeatureGroups[] {units, terms}) {
            assertTrue(Arrays.stream(groups.sizes()).allMatch(size -> size > 0));
        }
        for (int[] unit : units.members()) {
            long termsOfUnit = Arrays.stream(unit).map(terms::of).distinct().count();
            assertEquals(1, termsOfUnit, "terms of the unit " + Arrays.toString(unit));
        }
    }

    @Test
    default void restrictedToHalfOfItsUnitsItMakesTheirFeatures() {
        FeatureMap map = map();
        int[] kept = halfOfTheUnits(map);
        FeatureMap restricted = map.restrict(kept);
        assertMakesFeatures(map, kept, restricted);
        assertEquals(map.units().groupsOf(kept).length, restricted.units().count());
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
        int[] unit = map.units().members().get(0);
        if (unit.length > 1) {
            assertThrows(IllegalArgumentException.class, () -> map.restrict(unit[0]));
            int[] backwards = {unit[1], unit[0]};
            assertThrows(IllegalArgumentException.class, () -> map.restrict(backwards));
        }
    }

    /** Returns the features of every second unit, or of the only unit. */
    private static int[] halfOfTheUnits(FeatureMap map) {
        FeatureGroups units = map.units();
        int[] odd = IntStream.range(0, units.count()).filter(u -> u % 2 == 1).toArray();
        return units.featuresOf(odd.length == 0 ? new int[] {0} : odd);
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
