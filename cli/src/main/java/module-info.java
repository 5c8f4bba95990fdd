/** The {@code bochner} command. */
module org.bochner.cli {
    requires info.picocli;
    requires java.desktop;
    requires java.logging;
    requires java.management;
    requires org.bochner.core;
    requires static org.jspecify;

    opens org.bochner.cli to
            info.picocli;
}
