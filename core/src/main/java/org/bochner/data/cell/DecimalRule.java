package org.bochner.data.cell;

import org.bochner.data.DataOptions;

/**
 * The rule that chooses between decimal point and decimal comma for a column whose own numbers leave it open.
 *
 * @param asked the choice of the user
 * @param separatedByComma true if commas separate the cells of the file
 * @param commaSeen true if a column has numbers that can only have decimal commas
 * @param pointSeen true if a column has numbers that can only have decimal points
 */
public record DecimalRule(DataOptions.Decimal asked, boolean separatedByComma, boolean commaSeen, boolean pointSeen) {
    /** Returns the notation of a column whose numbers are all plain. */
    public Notation ofPlain(boolean points) {
        boolean comma = asked == DataOptions.Decimal.COMMA
                || (asked == DataOptions.Decimal.AUTO && commaSeen && !separatedByComma && !points);
        return comma ? Notation.COMMA : Notation.PLAIN;
    }
}
