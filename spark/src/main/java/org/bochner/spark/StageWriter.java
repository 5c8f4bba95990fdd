package org.bochner.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.ParamPair;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.MLWriter;
import org.bochner.base.DataException;
import org.bochner.base.Json;

/**
 * Writes a stage as Spark does: a folder with the params as JSON in {@code metadata}, and the model in {@value #MODEL}, which
 * {@code bochner predict} reads. The folder is written under a temporary name and renamed.
 *
 * <p>The JSON is written here, because the methods of Spark that write it differ between its versions.
 */
final class StageWriter extends MLWriter {
    static final String MODEL = "model.bochner";
    static final String METADATA = "metadata";
    static final String COLUMNS = "columns";

    private final Params stage;
    private final Optional<StoredModel> model;
    private final List<FrameCell> cells;

    StageWriter(Params stage, Optional<StoredModel> model, List<FrameCell> cells) {
        this.stage = stage;
        this.model = model;
        this.cells = cells;
    }

    @Override
    public void saveImpl(String path) {
        Path folder = new Path(path);
        try {
            FileSystem files =
                    folder.getFileSystem(sparkSession().sparkContext().hadoopConfiguration());
            Path whole = files.makeQualified(folder);
            Path parent = whole.getParent();
            Path temporary = new Path(parent == null ? whole : parent, "_" + whole.getName() + "-" + UUID.randomUUID());
            try {
                if (model.isPresent()) {
                    write(files, new Path(temporary, MODEL), model.get().bytes());
                }
                byte[] metadata = (Json.write(metadata()) + "\n").getBytes(StandardCharsets.UTF_8);
                write(files, new Path(new Path(temporary, METADATA), "part-00000"), metadata);
                write(files, new Path(new Path(temporary, METADATA), "_SUCCESS"), new byte[0]);
                // Hadoop moves a folder into one that exists.
                if (files.exists(whole) || !files.rename(temporary, whole)) {
                    throw new IOException("the folder exists, or cannot be renamed");
                }
            } finally {
                files.delete(temporary, true);
            }
        } catch (IOException e) {
            throw DataException.in(path, "cannot write the stage: " + e.getMessage(), e);
        }
    }

    private static void write(FileSystem files, Path to, byte[] bytes) throws IOException {
        try (OutputStream out = files.create(to, false)) {
            out.write(bytes);
        }
    }

    private Map<String, Object> metadata() throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("class", stage.getClass().getName());
        fields.put("timestamp", System.currentTimeMillis());
        fields.put("sparkVersion", sparkSession().version());
        fields.put("uid", stage.uid());
        fields.put("paramMap", values(stage.paramMap()));
        fields.put("defaultParamMap", values(stage.defaultParamMap()));
        if (!cells.isEmpty()) {
            List<Object> columns = new ArrayList<>();
            for (FrameCell cell : cells) {
                Map<String, Object> column = new LinkedHashMap<>();
                column.put("name", cell.name());
                column.put("kind", StageParams.lower(cell.kind()));
                column.put("width", (long) cell.width());
                column.put("categories", List.of(cell.categories()));
                columns.add(column);
            }
            fields.put(COLUMNS, columns);
        }
        return fields;
    }

    private static Map<String, Object> values(ParamMap params) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        for (ParamPair<?> pair : scala.jdk.javaapi.CollectionConverters.asJava(params.toSeq())) {
            values.put(pair.param().name(), json(pair));
        }
        return values;
    }

    private static <T> Object json(ParamPair<T> pair) throws IOException {
        Param<T> param = pair.param();
        byte[] value = ("[" + param.jsonEncode(pair.value()) + "]").getBytes(StandardCharsets.UTF_8);
        return ((List<?>) Objects.requireNonNull(Json.read(value, 0, value.length))).get(0);
    }
}
