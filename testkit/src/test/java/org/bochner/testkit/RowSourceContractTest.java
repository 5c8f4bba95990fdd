package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The library's own sources keep the contract. */
class RowSourceContractTest {
    private static final String TABLE = """
            size,kind,seen,group,weight,label
            1.5,flat,1700000001,g1,1,yes
            2.5,house,1700000002,g2,2,no
            ?,flat,1700000003,g1,1,yes
            4,hut,1700000005,g3,0.5,no
            7,,1700000009,g2,1,yes
            -1,flat,1700000011,g4,1,no
            """;

    private record Case(RowSource source) implements RowSourceContract {}

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Map<String, RowSource> sources() throws IOException {
        MemorySource dense =
                MemorySource.of(new double[][] {{1, 1.7e9}, {2, 1.7e9 + 1}, {3, 1.7e9 + 2}, {4, 1.7e9 + 9}});
        MemorySource classes = dense.withClasses("a", "b", "a", "c");
        MemorySource sparse = MemorySource.ofCsr(
                        5, new int[] {0, 2, 2, 3, 5}, new int[] {0, 4, 2, 1, 3}, new float[] {1, 2, 3, 4, 5})
                .withTargets(List.of("x", "y"), 1, 2, 3, 4, 5, 6, 7, 8);
        DataOptions options = DataOptions.of(write("table.csv", TABLE).toString())
                .withMissingFilled(true)
                .withRowWeight("weight");
        FileSource table = FileSource.open(options.withGroup("group"));
        FileSource libsvm = FileSource.open(DataOptions.of(
                write("rows.libsvm", "1 1:0.5 3:2\n-1 2:1\n1 1:1\n-1\n1 3:4\n1 2:2\n-1 1:3\n1 1:1 2:1\n-1 3:1\n1 1:9\n")
                        .toString()));
        DataOptions later = DataOptions.of(
                        write("later.csv", TABLE.replace("yes", "maybe")).toString())
                .withCarried(List.of("label"));
        Map<String, RowSource> sources = new LinkedHashMap<>();
        sources.put("dense rows in memory", dense);
        sources.put("weighted rows in memory", classes.withRowWeights(1, 0, 2, 1));
        sources.put("grouped rows in memory", classes.withGroups(7, 7, 8, 9));
        sources.put("sparse rows in memory", sparse);
        sources.put("rows read into memory", MemorySource.load(table));
        sources.put("rows without labels", sparse.withoutLabels());
        sources.put("file of grouped rows without labels", table.withoutLabels());
        sources.put("CSV file", FileSource.open(options.withIgnored(List.of("group"))));
        sources.put("CSV file with groups", table);
        sources.put("CSV file read as another one", FileSource.open(later, table.encoding()));
        sources.put("LIBSVM file", libsvm);
        sources.put("rows to train on", Holdout.split(table, 0.4, new Seed(2)).train());
        sources.put("rows held out", Holdout.split(libsvm, 0.6, new Seed(5)).test());
        sources.put("fold", Holdout.folds(libsvm, 2, new Seed(1)).get(0).train());
        MemorySource inSets = dense.withClasses("a", "a", "b", "c")
                .withSets("q", "q", "r", "p")
                .withGroups(1, 1, 2, 1);
        sources.put("rows with set ids", inSets);
        sources.put("sets of rows", inSets.withRowWeights(2, 2, 1, 0).bySet());
        sources.put(
                "sets of sparse rows",
                MemorySource.ofCsr(5, new int[] {0, 2, 2, 3, 5}, new int[] {0, 4, 2, 1, 3}, new float[] {1, 2, 3, 4, 5})
                        .withSets("q", "r", "r", "p")
                        .bySet());
        sources.put("sets read into memory", MemorySource.load(inSets.bySet()));
        FileSource patches = FileSource.open(DataOptions.of(write(
                                "sets.csv",
                                "set,x,label\na,1,u\na,2,u\nb,3,v\nc,4,u\nc,5,u\nd,6,v\ne,7,u\nf,8,v\ng,9,u\nh,9,v\nh,8,v\n")
                        .toString())
                .withSet("set"));
        sources.put("CSV file with set ids", patches);
        sources.put("sets of a CSV file", patches.bySet());
        sources.put("sets without labels", patches.bySet().withoutLabels());
        sources.put(
                "sets to train on",
                Holdout.split(patches.bySet(), 0.3, new Seed(2)).train());
        return sources;
    }

    @TestFactory
    Stream<DynamicNode> ownSources() throws IOException {
        List<DynamicNode> nodes = new ArrayList<>();
        sources().forEach((name, source) -> nodes.add(Contracts.over(RowSourceContract.class, name, new Case(source))));
        return nodes.stream();
    }

    /** What is wrong with a source, and the test that says it. */
    private enum Fault {
        FIRST_ROW("itsBlocksFollowEachOther"),
        ROW_COUNT("itsRowCountIsRight"),
        TARGET("itsTargetsAreInRange"),
        VALUE("itsValuesAreFinite"),
        READ_ONCE("itGivesTheSameRowsAgain"),
        SHARED_CURSOR("cursorsDoNotDisturbEachOther"),
        SPARSE("itsBlocksAreWhatItSays");

        private final String test;

        Fault(String test) {
            this.test = test;
        }
    }

    /** Five rows of one column, with a fault. */
    private static final class Faulty implements RowSource {
        private final Fault fault;
        private int readings;
        private int shared;

        Faulty(Fault fault) {
            this.fault = fault;
        }

        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public long rows() {
            return fault == Fault.ROW_COUNT ? 6 : 5;
        }

        @Override
        public Labels labels() {
            return new Labels.Classes(List.of("a", "b"));
        }

        @Override
        public boolean sparse() {
            return fault == Fault.SPARSE;
        }

        @Override
        public RowCursor open() {
            readings++;
            shared = 0;
            int last = fault == Fault.READ_ONCE && readings > 1 ? 0 : 5;
            return new RowCursor() {
                private int own;

                @Override
                public boolean next(RowBlockBuilder into, int maxRows) {
                    into.beginDense(fault == Fault.FIRST_ROW ? 0 : own, 1, 1, false);
                    while ((fault == Fault.SHARED_CURSOR ? shared : own) < last && into.rows() < maxRows) {
                        int row = fault == Fault.SHARED_CURSOR ? shared : own;
                        int start = into.startDenseRow();
                        into.values()[start] = fault == Fault.VALUE ? Float.NaN : row;
                        into.endRow();
                        into.setTarget(0, fault == Fault.TARGET ? row : row % 2);
                        own++;
                        shared++;
                    }
                    return into.rows() > 0;
                }

                @Override
                public void close() {}
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFaultIsFound(Fault fault) throws ReflectiveOperationException {
        Method test = RowSourceContract.class.getMethod(fault.test);
        Case faulty = new Case(new Faulty(fault));
        InvocationTargetException failure = assertThrows(InvocationTargetException.class, () -> test.invoke(faulty));
        assertInstanceOf(AssertionError.class, failure.getCause());
    }
}
