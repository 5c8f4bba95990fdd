package org.bochner.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Multiplies every row by a square matrix, Ax: {@code linear(file=M.csv)}. The file has one line per row of A, with numbers
 * between commas. A fitted or loaded scaling knows its matrix and does not read the file again; {@code linear} without a file
 * has its matrix from memory.
 *
 * <p>Threads: safe; immutable.
 */
final class LinearScaling implements Scaling {
    static final String NAME = "linear";

    /** Characters that a spelling uses itself. */
    private static final String SPECIAL = ",()[]'\"";

    private final @Nullable String file;
    /** The matrix, row-major; null if it is read from the file. */
    private final double @Nullable [] matrix;

    /** Takes over the matrix. */
    LinearScaling(@Nullable String file, double @Nullable [] matrix) {
        Require.that(
                file == null || !file.matches("(?s).*(\\s" + ChainScaling.THEN + "\\s|\"|\\v).*"),
                NAME,
                "a file name with '\"', a line end or the word 'then' between spaces cannot be spelled; rename the file");
        this.file = file;
        this.matrix = matrix;
    }

    static LinearScaling read(Spelling spelling) {
        String text = spelling.allow("file").text("file");
        if (text == null) {
            return new LinearScaling(null, null);
        }
        if (text.isEmpty()) {
            throw new SpellingException(NAME + " needs a file name, as in " + NAME + "(file=M.csv)");
        }
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return new LinearScaling(quoted ? text.substring(1, text.length() - 1) : text, null);
    }

    /** Returns the file with the matrix; empty if the matrix comes from memory. */
    Optional<Path> file() {
        return Optional.ofNullable(file).map(Path::of);
    }

    @Override
    public boolean mixesColumns() {
        return true;
    }

    @Override
    public boolean isSpelled() {
        return file != null;
    }

    /** Returns the length of the array of a square matrix; fails if it is too long. */
    static int size(int columns) {
        if ((long) columns * columns > Integer.MAX_VALUE - 8) {
            throw new BochnerException(NAME + ": a matrix of " + columns + " columns is too large");
        }
        return columns * columns;
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        double[] values = matrix;
        if (values == null) {
            if (file == null) {
                throw new SpellingException(NAME + " needs the file of its matrix, as in " + NAME + "(file=M.csv)");
            }
            values = parse(file, rows.columns());
        }
        if (values.length != (long) rows.columns() * rows.columns()) {
            int size = (int) Math.sqrt(values.length);
            throw DataException.in(
                    rows.name(),
                    "has " + rows.columns() + " columns; the matrix of " + this + " is of " + size + " columns");
        }
        return new LinearScaler(file, rows.columns(), values).requireNarrowIfDense(rows);
    }

    /** Returns the scaler with the matrix, which must be known and square. */
    LinearScaler scaler(int columns) {
        return new LinearScaler(file, columns, Objects.requireNonNull(matrix));
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        return new LinearScaler(file, columns, state.array("matrix", size(columns)));
    }

    private static double[] parse(String file, int columns) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
            // A matrix has at least one digit and one separator per number.
            if (Files.size(Path.of(file)) < 2L * columns * columns - 1) {
                throw DataException.in(file, "is too short for a matrix of " + columns + " rows and columns");
            }
            double[] values = new double[size(columns)];
            int row = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                // A byte order mark.
                String[] cells = (row == 0 && line.startsWith("\uFEFF") ? line.substring(1) : line).split(",", -1);
                if (row == columns || cells.length != columns) {
                    throw DataException.at(
                            file,
                            row + 1L,
                            "the matrix needs one line of " + columns + " numbers for each of the " + columns
                                    + " columns of the rows; found "
                                    + (row == columns ? "a further line" : cells.length + " cells"));
                }
                for (int l = 0; l < columns; l++) {
                    values[row * columns + l] = number(file, row + 1L, cells[l]);
                }
                row++;
            }
            if (row < columns) {
                throw DataException.in(
                        file,
                        "has " + row + " lines; the matrix needs " + columns + ", one for each column of the rows");
            }
            return values;
        } catch (IOException e) {
            throw DataException.in(file, "the matrix cannot be read: " + reason(e), e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof CharacterCodingException ? "it is no text in UTF-8" : String.valueOf(e.getMessage());
    }

    private static double number(String file, long line, String cell) {
        double value;
        try {
            value = Double.parseDouble(cell.strip());
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            throw DataException.at(file, line, "'" + Spelling.line(cell.strip()) + "' is not a finite number");
        }
        return value;
    }

    /** Writes a matrix to a file, which {@link #fit} reads with the same bits. */
    static void write(Path path, double[][] matrix) {
        try (AtomicFile target = AtomicFile.create(path)) {
            OutputStream out = target.stream();
            for (double[] row : matrix) {
                String line = Arrays.stream(row).mapToObj(Spelling::print).collect(Collectors.joining(",", "", "\n"));
                out.write(line.getBytes(StandardCharsets.UTF_8));
            }
            target.commit();
        } catch (IOException e) {
            throw AtomicFile.unwritable(path.toString(), e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LinearScaling that
                && Objects.equals(file, that.file)
                && Arrays.equals(matrix, that.matrix);
    }

    @Override
    public int hashCode() {
        return Objects.hash(file, Arrays.hashCode(matrix));
    }

    @Override
    public String toString() {
        if (file == null) {
            return NAME;
        }
        boolean plain = file.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0)
                && file.strip().equals(file);
        return NAME + "(file=" + (plain ? file : '"' + file + '"') + ")";
    }
}
