package org.bochner.stats;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.data.RowCursor;

/** The tiles that one worker takes at a time. */
public final class RowTiles {
    private List<RowTile> tiles;
    private int count;
    private int part;
    double fraction;

    /** Creates empty tiles. */
    public RowTiles(int most) {
        tiles = IntStream.range(0, most).mapToObj(t -> new RowTile()).toList();
    }

    /** Returns the part of all rows, if the rows were sorted into parts. */
    public int part() {
        return part;
    }

    /** Returns the tiles that have rows. */
    public List<RowTile> filled() {
        return tiles.subList(0, count);
    }

    long rows() {
        return filled().stream().mapToLong(tile -> tile.builder.rows()).sum();
    }

    /** Replaces the rows by the next ones of a cursor; returns false if there are none. */
    boolean fill(RowCursor cursor, int tileRows) {
        count = 0;
        while (count < tiles.size() && cursor.next(tiles.get(count).builder, tileRows)) {
            count++;
        }
        return count > 0;
    }

    /** Adds a row to the first tile that is not full; returns true if all tiles are then full. */
    boolean add(RowBlock rows, int row, int tileRows) {
        return tiles.get(count).add(rows, row, tileRows) && ++count == tiles.size();
    }

    /** Counts a tile that is not full; returns true if there are any rows. */
    boolean finish() {
        count += count < tiles.size() && tiles.get(count).builder.rows() > 0 ? 1 : 0;
        return count > 0;
    }

    /** Moves the rows to other tiles, and takes the memory of those tiles in return. */
    void moveTo(RowTiles other, int partOfRows) {
        List<RowTile> empty = other.tiles;
        other.tiles = tiles;
        other.count = count;
        other.part = partOfRows;
        tiles = empty;
        count = 0;
        tiles.forEach(RowTile::clear);
    }
}
