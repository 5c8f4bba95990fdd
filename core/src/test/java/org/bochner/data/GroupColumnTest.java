package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.DataException;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that are no features: groups, and texts carried along. */
class GroupColumnTest {
    private static final String ROWS = "x,patient,y,class\n1,anna,2,a\n3,bert,4,b\n5,anna,6,b\n7,carl,8,a\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private FileSource grouped(String text, String group) {
        return FileSource.open(
                DataOptions.of(Sample.file(folder, "train.csv", text)).withGroup(group));
    }

    private static List<Long> groups(RowSource source) {
        List<Long> groups = new ArrayList<>();
        each(source, (block, i) -> groups.add(block.group(i)));
        return groups;
    }

    private interface EachRow {
        void row(RowBlock block, int i);
    }

    private static void each(RowSource source, EachRow row) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, 3)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    row.row(block, i);
                }
            }
        }
    }

    @Test
    void groupIsNoFeatureAndTheSameForTheSameText() {
        for (String spelling : List.of("patient", "1")) {
            FileSource source = grouped(ROWS, spelling);
            assertTrue(source.grouped());
            assertEquals(List.of("x", "y"), source.columnNames());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1\n5 6 -> 1\n7 8 -> 0", Sample.of(source).text());
            List<Long> groups = groups(source);
            assertEquals(groups.get(0), groups.get(2));
            assertNotEquals(groups.get(0), groups.get(1));
            assertNotEquals(groups.get(1), groups.get(3));
            assertEquals("patient", source.identity().groupColumn());
        }
    }

    @Test
    void hashIsFnv1a() {
        // The published value of the 64-bit FNV-1a hash of "a": folds must not change between versions.
        assertEquals(
                0xaf63dc4c8601ec8cL,
                groups(grouped("g,x,y\na,1,2\na,2,3\na,4,4\n", "g")).get(0));
    }

    @Test
    void rowsOfAGroupStayTogether() {
        StringBuilder text = new StringBuilder("x,g,y\n");
        for (int i = 0; i < 400; i++) {
            text.append(i)
                    .append(",group")
                    .append(i % 40)
                    .append(',')
                    .append(i % 2)
                    .append('\n');
        }
        FileSource source = grouped(text.toString(), "g");
        List<Holdout> splits = new ArrayList<>(Holdout.folds(source, 5, new Seed(3)));
        splits.add(Holdout.split(source, 0.3, new Seed(3)));
        for (Holdout split : splits) {
            List<Long> train = groups(split.train());
            assertEquals(split.train().rows(), train.size());
            assertTrue(split.test().rows() > 0);
            assertTrue(groups(split.test()).stream().noneMatch(train::contains));
        }
    }

    @Test
    void missingGroupsAreRefusedWithTheirPlace() {
        DataException e = assertThrows(DataException.class, () -> grouped("x,g,y\n1,a,2\n1,,3\n", "g"));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("train.csv:3") && message.contains("the group is missing"), message);
    }

    @Test
    void groupCannotBeLabelOrWeight() {
        for (String column : List.of("class", "3", "last")) {
            DataException e = assertThrows(DataException.class, () -> grouped(ROWS, column));
            assertTrue(String.valueOf(e.getMessage()).contains("both group and label"), e.getMessage());
        }
    }

    @Test
    void encodingIsSavedWithTheGroup() {
        Encoding encoding = grouped(ROWS, "patient").encoding();
        assertEquals(encoding, Encoding.load(encoding.state()));
    }

    @Nested
    class OtherFiles {
        private String read(String training, String text) {
            Encoding encoding = grouped(training, training.startsWith("x") ? "patient" : "1")
                    .encoding();
            FileSource source = FileSource.open(
                    DataOptions.of(Sample.file(folder, "test.csv", text)), Encoding.load(encoding.state()));
            assertFalse(source.grouped());
            return Sample.of(source.withoutLabels()).text();
        }

        @Test
        void mayHaveTheColumnOrNotWhereThereIsAHeader() {
            assertEquals("1 2 -> ", read(ROWS, "x,patient,y,class\n1,dora,2,a\n"));
            assertEquals("1 2 -> ", read(ROWS, "x,y,class\n1,2,a\n"));
            assertEquals("1 2 -> ", read(ROWS, "patient,y,x\n,2,1\n"));
        }

        @Test
        void mayHaveItOrNotByPositionWhereThatIsClear() {
            String training = "1,anna,2,a\n3,bert,4,b\n5,anna,6,b\n";
            assertEquals("1 2 -> ", read(training, "1,dora,2,a\n"));
            assertEquals("1 2 -> ", read(training, "1,2\n"));
            DataException e = assertThrows(DataException.class, () -> read(training, "1,2,3\n"));
            assertTrue(String.valueOf(e.getMessage()).contains("name the columns in a header"), e.getMessage());
            DataException wide = assertThrows(DataException.class, () -> read(training, "1,2,3,4,5\n"));
            assertTrue(String.valueOf(wide.getMessage()).contains("found 5"), wide.getMessage());
        }
    }

    @Nested
    class CarriedTexts {
        private List<List<String>> carried(String text, String... columns) {
            Encoding encoding = grouped(ROWS, "patient").encoding();
            FileSource source = FileSource.open(
                    DataOptions.of(Sample.file(folder, "test.csv", text)).withCarried(List.of(columns)), encoding);
            List<List<String>> all = new ArrayList<>();
            all.add(source.carriedNames());
            each(source.withoutLabels(), (block, i) -> all.add(block.carried(i)));
            return all;
        }

        @Test
        void areThoseOfAnyColumnAsItIsWritten() {
            assertEquals(
                    List.of(List.of("class", "patient", "x"), List.of("a", "anna", "1.50"), List.of("?", "", "7")),
                    carried("x,patient,y,class\n1.50,anna,2,a\n7,,4,?\n", "class", "patient", "0"));
        }

        @Test
        void mayBeOfAColumnThatTrainingDidNotHave() {
            assertEquals(
                    List.of(List.of("id"), List.of("a \"1\""), List.of("b\n2")),
                    carried("id,x,y\n\"a \"\"1\"\"\",1,2\n\"b\n2\",3,4\n", "id"));
        }

        @Test
        void ofAnUnknownColumnAreRefused() {
            DataException e = assertThrows(DataException.class, () -> carried(ROWS, "patent"));
            assertTrue(String.valueOf(e.getMessage()).contains("no such column 'patent'"), e.getMessage());
        }
    }
}
