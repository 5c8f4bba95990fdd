/**
 * Pictures for the commands: line charts in SVG or PNG, without a dependency. A {@link org.bochner.cli.plot.Chart} of
 * {@link org.bochner.cli.plot.Panel}s of {@link org.bochner.cli.plot.Series} describes the content; this package
 * decides the look.
 */
@NullMarked
package org.bochner.cli.plot;

import org.jspecify.annotations.NullMarked;
