package org.bochner.tune.search;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.AtomicFile;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Json;
import org.bochner.base.Notes;
import org.bochner.base.text.JsonFields;
import org.bochner.base.text.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A file with the results of all tests of a search, from which the search can be resumed. Each line is one JSON object. The
 * first one says what was searched; each other one is a test on one fold, and is appended when the test is finished. After a
 * kill of the process only the last line may be incomplete.
 *
 * <p>If the file cannot be written, the search goes on without it, and {@link #failure} says why. Threads: not safe.
 */
public final class TestLog implements Tester, AutoCloseable {
    /** The key of what becomes of the cells of the files. */
    public static final String ENCODING = "encoding";

    private static final String KIND = "tune";
    private static final long FORMAT = 1;

    /** Larger files are none that this class wrote. */
    private static final long MOST_BYTES = 1L << 30;

    private record Key(Candidate candidate, long rows, int fold) {}

    private final Tester tester;
    private final Path path;
    private final FileChannel channel;
    private final Map<Key, FoldTest> known;
    private int reused;
    private @Nullable BochnerException failure;

    private TestLog(Tester tester, Path path, FileChannel channel, Map<Key, FoldTest> known) {
        this.tester = tester;
        this.path = path;
        this.channel = channel;
        this.known = known;
    }

    /**
     * Creates a log.
     *
     * @param search what is searched: data, version and settings that the results of tests depend on
     * @throws DataException if the file exists or cannot be written
     */
    public static TestLog create(Path path, Map<String, Object> search, Tester tester) {
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            TestLog log = new TestLog(tester, path, channel, new HashMap<>());
            log.append(header(search));
            if (log.failure != null) {
                channel.close();
                Files.deleteIfExists(path);
                throw log.failure;
            }
            return log;
        } catch (FileAlreadyExistsException e) {
            throw DataException.in(
                    path.toString(), "exists; resume the search of this log, or choose another file for a new log", e);
        } catch (IOException e) {
            throw AtomicFile.unwritable(path.toString(), e);
        }
    }

    /**
     * Opens the log of an earlier search, whose tests are not repeated. Further tests are appended.
     *
     * @param search what is searched, which must be what the log says
     * @param notes receives a note if the last line is incomplete; it is removed from the file
     * @throws DataException if the file is no log, or one of another search
     */
    public static TestLog resume(Path path, Map<String, Object> search, Tester tester, Notes notes) {
        String name = path.toString();
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw DataException.in(name, "is too large for a log of a search");
            }
            byte[] bytes = Files.readAllBytes(path);
            List<byte[]> lines = lines(bytes);
            if (lines.isEmpty()) {
                throw DataException.in(name, "is no log of a search: it is empty");
            }
            long complete = 0;
            Map<Key, FoldTest> known = new HashMap<>();
            for (int i = 0; i < lines.size(); i++) {
                byte[] line = lines.get(i);
                boolean last = i + 1 == lines.size();
                boolean ended = complete + line.length < bytes.length;
                if (i == 0) {
                    requireSearch(name, line, search);
                    if (!ended) {
                        throw DataException.in(name, "is no complete log of a search: its first line has no end");
                    }
                } else {
                    try {
                        JsonObject test = object("line " + (i + 1), line);
                        if (!ended) {
                            throw new BochnerException("the line has no end");
                        }
                        known.put(
                                new Key(
                                        Candidate.of(test.object("candidate")),
                                        test.whole("sample"),
                                        test.count("fold")),
                                test(test));
                    } catch (BochnerException | IllegalArgumentException e) {
                        if (!last) {
                            throw DataException.in(
                                    name + ":" + (i + 1),
                                    "is damaged: " + e.getMessage()
                                            + "; remove this line to resume with the other tests",
                                    e);
                        }
                        notes.data(name + ":" + (i + 1) + ": the last line is incomplete and was removed");
                        break;
                    }
                }
                complete += line.length + 1;
            }
            FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
            channel.truncate(complete);
            channel.position(complete);
            return new TestLog(tester, path, channel, known);
        } catch (NoSuchFileException e) {
            throw DataException.in(name, "does not exist; a new log is written if the search is not resumed", e);
        } catch (IOException e) {
            throw DataException.in(name, "cannot be read and continued: " + e.getMessage(), e);
        }
    }

    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            boolean end = i == bytes.length ? start < i : bytes[i] == '\n';
            if (end) {
                lines.add(Arrays.copyOfRange(bytes, start, i));
                start = i + 1;
            }
        }
        return lines;
    }

    private static JsonObject object(String name, byte[] line) {
        return JsonObject.parse(name, new String(line, StandardCharsets.UTF_8));
    }

    private static Map<String, Object> header(Map<String, Object> search) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("log", KIND);
        header.put("format", FORMAT);
        header.putAll(search);
        return header;
    }

    /** Fails if the first line is not that of a log of the same search. */
    private static void requireSearch(String name, byte[] line, Map<String, Object> search) {
        Object found;
        try {
            found = Json.read(line, 0, line.length);
        } catch (IOException e) {
            throw DataException.in(name, "is no log of a search: its first line is not JSON", e);
        }
        if (!(found instanceof Map<?, ?> fields) || !KIND.equals(fields.get("log"))) {
            throw DataException.in(name, "is no log of a search");
        }
        for (Map.Entry<String, Object> expected : header(search).entrySet()) {
            String key = expected.getKey();
            String own = Json.write(expected.getValue());
            String other = Json.write(fields.get(key));
            if (!own.equals(other)) {
                String difference = key.equals(ENCODING)
                        ? "its files were read in another way: with other columns, row weights, texts, dates, categories or"
                                + " missing values"
                        : "it has " + key + " = " + other + ", and now " + key + " = " + own;
                throw DataException.in(
                        name,
                        "is the log of another search: " + difference
                                + "; use the same data, flags and version, or start a new log");
            }
        }
    }

    private static FoldTest test(JsonObject fields) {
        boolean failed = fields.has("failure");
        return new FoldTest(
                failed
                        ? Losses.NONE
                        : new Losses(numbers(fields, "losses"), numbers(fields, "squares"), numbers(fields, "rows")),
                fields.number("seconds"),
                failed ? fields.text("failure") : null);
    }

    private static double[] numbers(JsonObject fields, String key) {
        if (!(fields.fields().get(key) instanceof List<?> list)) {
            throw new BochnerException(key + " must be a list of numbers");
        }
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!(list.get(i) instanceof Number number)) {
                throw new BochnerException(key + " must be a list of numbers");
            }
            numbers[i] = number.doubleValue();
        }
        return numbers;
    }

    @Override
    public FoldTest test(Candidate candidate, Rung rung, int fold) {
        Key key = new Key(candidate, rung.rows(), fold);
        FoldTest before = known.get(key);
        if (before != null) {
            reused++;
            return before;
        }
        FoldTest test = tester.test(candidate, rung, fold);
        if (failure == null) {
            append(fields(key, test));
        }
        return test;
    }

    private static Map<String, Object> fields(Key key, FoldTest test) {
        Map<String, Object> fields =
                JsonFields.of("candidate", key.candidate.toJson(), "sample", key.rows, "fold", key.fold);
        fields.put("seconds", test.seconds());
        if (test.failure() != null) {
            fields.put("failure", test.failure());
        } else {
            fields.put("losses", boxed(test.losses().sums()));
            fields.put("squares", boxed(test.losses().squares()));
            fields.put("rows", boxed(test.losses().rowsOfBlocks()));
        }
        return fields;
    }

    private static List<Double> boxed(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    private void append(Map<String, Object> fields) {
        ByteBuffer line = ByteBuffer.wrap((Json.write(fields) + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            long start = channel.position();
            try {
                while (line.hasRemaining()) {
                    channel.write(line);
                }
                channel.force(false);
            } catch (IOException e) {
                // Half a line would make the rest of the file unreadable.
                channel.truncate(start);
                throw e;
            }
        } catch (IOException e) {
            failure = AtomicFile.unwritable(path.toString(), e);
        }
    }

    /** Returns the number of tests that were taken from the log of the earlier search. */
    public int reused() {
        return reused;
    }

    /** Returns why later tests are not in the file; null if all are. */
    public @Nullable BochnerException failure() {
        return failure;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            failure = AtomicFile.unwritable(path.toString(), e);
        }
    }
}
