package org.bochner.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.bochner.base.DataException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.cli.Platform;
import org.bochner.data.DataOptions;
import org.bochner.data.format.TableShape;

/**
 * Finds the DataFrame that DATA stands for: a table of Spark's catalogue, or files in the format of their names.
 *
 * @param given the options for Spark's reader
 * @param format the format that was asked for; empty to find it
 */
record ShellFrames(SparkSession session, Map<String, String> given, String format) {
    static final String TABLE = "table:";
    static final String LIBSVM = "libsvm";

    private static final String CSV = "csv";
    /** The most files whose names are looked at. */
    private static final int MOST_FILES = 10_000;

    private static final Set<String> COMPRESSED = Set.of("gz", "bz2", "zst", "zstd", "snappy", "lz4", "deflate", "xz");
    private static final Map<String, String> FORMATS = Map.ofEntries(
            Map.entry("parquet", "parquet"),
            Map.entry("parq", "parquet"),
            Map.entry("orc", "orc"),
            Map.entry(CSV, CSV),
            Map.entry("tsv", CSV),
            Map.entry("json", "json"),
            Map.entry("jsonl", "json"),
            Map.entry("ndjson", "json"),
            Map.entry("avro", "avro"),
            Map.entry(LIBSVM, LIBSVM),
            Map.entry("svm", LIBSVM),
            Map.entry("svmlight", LIBSVM));

    /**
     * A DataFrame.
     *
     * @param format the name of Spark's reader; {@code table} for a table
     * @param indexed true if columns have no names of their own and are named by their indices
     * @param dates the types of the columns of days and times that are read as texts
     */
    record Frame(
            String name,
            Dataset<Row> rows,
            String format,
            boolean indexed,
            Map<String, DataType> dates,
            List<Note> notes) {
        /** Returns the type of the values of a column. */
        DataType type(String column) {
            DataType date = dates.get(column);
            return date == null ? rows.schema().apply(column).dataType() : date;
        }
    }

    /**
     * Reads DATA.
     *
     * @param more further paths
     * @param width the number of columns of LIBSVM files; 0 to find it
     */
    Frame read(String data, List<String> more, DataOptions options, int width) {
        for (String path : more) {
            if (data.startsWith(TABLE) || path.startsWith(TABLE)) {
                throw Platform.usage("tables and further paths cannot be read together: " + data + " and " + path
                        + "; join them in a view");
            }
        }
        if (data.startsWith(TABLE)) {
            String table = data.substring(TABLE.length());
            return new Frame(data, session.table(table), "table", false, Map.of(), List.of());
        }
        List<String> paths = new ArrayList<>(List.of(data));
        paths.addAll(more);
        String name = String.join(" + ", paths);
        List<Path> files = new ArrayList<>();
        for (String path : paths) {
            files.addAll(files(path));
        }
        String found = format.isEmpty() ? format(name, files) : format;
        Map<String, String> settings = new LinkedHashMap<>();
        List<Note> notes = new ArrayList<>();
        boolean header = true;
        if (found.equals(CSV)) {
            ShellCsv csv = new ShellCsv(configuration(), options);
            TableShape shape = csv.shape(name, files);
            header = !shape.names().isEmpty();
            settings.putAll(csv.settings(shape));
            notes.addAll(shape.notes());
        } else if (found.equals(LIBSVM)) {
            int columns = width > 0 ? width : options.columns();
            if (columns > 0) {
                settings.put("numFeatures", Integer.toString(columns));
            }
        }
        settings.putAll(given);
        String[] places = paths.toArray(new String[0]);
        DataFrameReader reader = session.read().format(found).options(settings);
        Dataset<Row> rows = reader.load(places);
        if (!found.equals(CSV)) {
            return new Frame(name, rows, found, false, Map.of(), notes);
        }
        boolean indexed = !header && !settings.containsKey("schema");
        StructType inferred = rows.schema();
        StructType spelled = spelled(inferred);
        Dataset<Row> texts =
                spelled.equals(inferred) ? rows : reader.schema(spelled).load(places);
        Dataset<Row> named = indexed ? numbered(texts) : texts;
        Map<String, DataType> dates = new LinkedHashMap<>();
        for (int c = 0; c < inferred.size(); c++) {
            DataType type = inferred.fields()[c].dataType();
            if (isDate(type)) {
                dates.put(named.columns()[c], type);
            }
        }
        return new Frame(name, named, found, indexed, dates, notes);
    }

    /** Returns a schema in which truth values, days and times are texts, which keep their spelling. */
    private static StructType spelled(StructType inferred) {
        return new StructType(Arrays.stream(inferred.fields())
                .map(field -> field.dataType() instanceof BooleanType || isDate(field.dataType())
                        ? new StructField(field.name(), DataTypes.StringType, field.nullable(), field.metadata())
                        : field)
                .toArray(StructField[]::new));
    }

    /** Returns true for the types of days and times. */
    static boolean isDate(DataType type) {
        return type.typeName().equals("date") || type.typeName().startsWith("timestamp");
    }

    private static Dataset<Row> numbered(Dataset<Row> rows) {
        return rows.toDF(IntStream.range(0, rows.columns().length)
                .mapToObj(Integer::toString)
                .toArray(String[]::new));
    }

    /** Returns the files of a path, without hidden ones. */
    private List<Path> files(String given) {
        if (given.equals("-")) {
            throw DataException.in("-", "Spark cannot read stdin; give a path or table:NAME");
        }
        try {
            Path path = new Path(given);
            FileSystem system = path.getFileSystem(configuration());
            FileStatus[] found = system.globStatus(path);
            if (found == null || found.length == 0) {
                throw DataException.in(given, "there is no such file or folder");
            }
            List<Path> files = new ArrayList<>();
            for (FileStatus each : found) {
                if (each.isFile()) {
                    files.add(each.getPath());
                    continue;
                }
                RemoteIterator<LocatedFileStatus> inside = system.listFiles(each.getPath(), true);
                while (inside.hasNext() && files.size() < MOST_FILES) {
                    Path file = inside.next().getPath();
                    if (!hidden(each.getPath(), file)) {
                        files.add(file);
                    }
                }
            }
            if (files.isEmpty()) {
                throw DataException.in(given, "the folder holds no data files");
            }
            files.sort(null);
            return files;
        } catch (IOException | IllegalArgumentException e) {
            throw DataException.in(given, "cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean hidden(Path folder, Path file) {
        String inside = file.toString().substring(folder.toString().length());
        for (String part : inside.split("/", -1)) {
            if (part.startsWith(".") || (part.startsWith("_") && !part.contains("="))) {
                return true;
            }
        }
        return false;
    }

    private Configuration configuration() {
        return session.sessionState().newHadoopConf();
    }

    /** Returns the format that all names of files show. */
    private static String format(String name, List<Path> files) {
        Set<String> found = new TreeSet<>();
        for (Path file : files) {
            found.add(format(file.getName()).orElse(""));
        }
        if (found.size() == 1 && !found.contains("")) {
            return found.iterator().next();
        }
        found.remove("");
        String problem = found.size() > 1
                ? "the files have different formats: " + String.join(", ", found)
                : "the format cannot be told from the file names";
        throw DataException.in(
                name,
                problem,
                Remedy.set(Setting.FORMAT, "with parquet, orc, csv, json, libsvm or another name of Spark gives it"));
    }

    private static Optional<String> format(String file) {
        String[] parts = file.toLowerCase(Locale.ROOT).split("\\.", -1);
        int last = parts.length - 1;
        while (last > 0 && COMPRESSED.contains(parts[last])) {
            last--;
        }
        // Spark writes part-0.snappy.parquet and part-0.csv.gz.
        return last == 0 ? Optional.empty() : Optional.ofNullable(FORMATS.get(parts[last]));
    }
}
