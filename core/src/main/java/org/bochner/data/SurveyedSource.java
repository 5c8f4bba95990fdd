package org.bochner.data;

import java.util.List;
import org.bochner.base.Note;

/** Rows whose reader knows how their cells became columns and targets, and why. */
public interface SurveyedSource extends RowSource {
    /** Returns how cells become columns and targets; models save it. */
    @Override
    Encoding encoding();

    @Override
    SurveyedSource withoutLabels();

    /** Returns a note on why labels were taken for classes or numbers. */
    Note taskReason();

    /** Returns notes on choices of the survey, and on cells that training did not foresee. */
    List<Note> notes();

    /** Returns the number of rows per class, in the order of the classes; empty if they were not counted. */
    List<Long> classCounts();

    /** Returns the names of the label columns; empty if there are no labels or if they do not stand in a column. */
    List<String> labelColumns();

    /** Returns the names of the columns whose texts accompany the rows, in the order of {@link RowBlock#carried}. */
    default List<String> carriedNames() {
        return List.of();
    }

    /** Returns the names of the columns. */
    default List<String> columnNames() {
        return encoding().columnNames();
    }

    /** Returns the column range of each channel; empty if a single file is read. */
    default List<ColumnRange> channels() {
        return encoding().channels();
    }
}
