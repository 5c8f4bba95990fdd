package org.bochner.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.MLReader;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Json;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stage that {@link StageWriter} wrote.
 *
 * @param <T> the type of the stage
 */
final class StageReader<T extends Params> extends MLReader<T> {
    private final Class<T> type;
    private final Maker<T> maker;

    /** Makes a stage from its saved form. */
    private interface Maker<T> {
        T make(String uid, String path, List<FrameCell> cells);
    }

    /** Makes a stage with a model. */
    interface ModelMaker<T> {
        T make(String uid, StoredModel model, List<FrameCell> cells);
    }

    /** Makes a stage without a model. */
    interface PlainMaker<T> {
        T make(String uid);
    }

    private StageReader(Class<T> type, Maker<T> maker) {
        this.type = type;
        this.maker = maker;
    }

    static <T extends Params> StageReader<T> ofModel(Class<T> type, ModelMaker<T> maker) {
        return new StageReader<>(type, (uid, path, cells) -> {
            StoredModel model = StoredModel.read(new Path(path, StageWriter.MODEL).toString());
            long width = cells.stream().mapToLong(FrameCell::width).sum();
            if (!cells.isEmpty() && width != model.model().columns()) {
                throw new IllegalArgumentException("they name " + width + " columns, and the model has "
                        + model.model().columns());
            }
            return maker.make(uid, model, cells);
        });
    }

    static <T extends Params> StageReader<T> ofStage(Class<T> type, PlainMaker<T> maker) {
        return new StageReader<>(type, (uid, path, cells) -> maker.make(uid));
    }

    @Override
    public T load(String path) {
        Map<?, ?> metadata = metadata(path);
        if (!type.getName().equals(metadata.get("class"))) {
            throw DataException.in(path, "holds a " + metadata.get("class") + ", not a " + type.getName());
        }
        try {
            return load(path, metadata);
        } catch (BochnerException e) {
            throw e;
        } catch (Exception e) { // Scala's parsers of params throw checked ones that they do not declare
            String reason = e instanceof IllegalArgumentException ? ": " + e.getMessage() : "";
            throw DataException.in(path, "the metadata of the stage are damaged" + reason, e);
        }
    }

    private T load(String path, Map<?, ?> metadata) {
        T stage = maker.make(String.valueOf(metadata.get("uid")), path, cells(metadata.get(StageWriter.COLUMNS)));
        if (metadata.get("defaultParamMap") instanceof Map<?, ?> defaults) {
            defaults.forEach((name, value) -> setDefault(stage, param(stage, path, name), value));
        }
        if (metadata.get("paramMap") instanceof Map<?, ?> values) {
            values.forEach((name, value) -> set(stage, param(stage, path, name), value));
        }
        return stage;
    }

    private Map<?, ?> metadata(String path) {
        Path folder = new Path(path, StageWriter.METADATA);
        try {
            FileSystem files =
                    folder.getFileSystem(sparkSession().sparkContext().hadoopConfiguration());
            FileStatus[] parts = files.globStatus(new Path(folder, "part-*"));
            if (parts == null || parts.length == 0) {
                throw DataException.in(path, "is no saved stage: it has no folder '" + StageWriter.METADATA + "'");
            }
            Arrays.sort(parts);
            for (FileStatus part : parts) {
                try (BufferedReader text =
                        new BufferedReader(new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
                    String line = text.readLine();
                    byte[] bytes = line == null ? new byte[0] : line.getBytes(StandardCharsets.UTF_8);
                    if (bytes.length > 0 && Json.read(bytes, 0, bytes.length) instanceof Map<?, ?> fields) {
                        return fields;
                    }
                }
            }
            throw DataException.in(path, "is no saved stage: its metadata are empty");
        } catch (IOException e) {
            throw DataException.in(path, "cannot read the stage: " + e.getMessage(), e);
        }
    }

    private static List<FrameCell> cells(@Nullable Object columns) {
        List<FrameCell> cells = new ArrayList<>();
        for (Object column : columns == null ? List.of() : (List<?>) columns) {
            Map<?, ?> fields = (Map<?, ?>) column;
            String[] categories = ((List<?>) Objects.requireNonNull(fields.get("categories")))
                    .stream().map(String::valueOf).toArray(String[]::new);
            FrameCell.Kind kind =
                    FrameCell.Kind.valueOf(String.valueOf(fields.get("kind")).toUpperCase(Locale.ROOT));
            int width = ((Number) Objects.requireNonNull(fields.get("width"))).intValue();
            cells.add(new FrameCell(cells.size(), String.valueOf(fields.get("name")), kind, width, categories));
        }
        return cells;
    }

    private static Param<Object> param(Params stage, String path, Object name) {
        if (!stage.hasParam(String.valueOf(name))) {
            throw DataException.in(path, "has the param '" + name + "', which this version of Bochner does not know");
        }
        return stage.getParam(String.valueOf(name));
    }

    private static void set(Params stage, Param<Object> param, Object value) {
        stage.set(param, param.jsonDecode(Json.write(value)));
    }

    private static void setDefault(Params stage, Param<Object> param, Object value) {
        stage.setDefault(param, param.jsonDecode(Json.write(value)));
    }
}
