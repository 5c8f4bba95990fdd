package org.bochner.data.cell;

import org.bochner.data.DataOptions;

/**
 * What decides between a decimal point and a decimal comma where a column alone does not.
 *
 * @param asked what the user says
 * @param separatedByComma whether commas separate the cells of the file
 * @param commaSeen whether some column has numbers that can only have decimal commas
 * @param pointSeen whether some column has numbers that can only have decimal points
 */
public record DecimalRule(DataOptions.Decimal asked, boolean separatedByComma, boolean commaSeen, boolean pointSeen) {
    /** The notation of a column whose numbers are all plain. */
    public Notation ofPlain(boolean points) {
        boolean comma = asked == DataOptions.Decimal.COMMA
                || (asked == DataOptions.Decimal.AUTO && commaSeen && !separatedByComma && !points);
        return comma ? Notation.COMMA : Notation.PLAIN;
    }
}
