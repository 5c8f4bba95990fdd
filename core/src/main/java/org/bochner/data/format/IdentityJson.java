package org.bochner.data.format;

import java.util.Map;
import org.bochner.base.text.JsonObject;
import org.bochner.data.DataIdentity;

/** Reads the identity of data from JSON. */
public final class IdentityJson {
    private IdentityJson() {}

    /** Reads what {@link DataIdentity#toJson} returned. */
    public static DataIdentity read(JsonObject json) {
        return new DataIdentity(
                json.objects("files").stream()
                        .map(file -> new DataIdentity.File(
                                file.text("file"), file.whole("bytes"), file.whole("rows"), file.text("sha256")))
                        .toList(),
                json.has("groupColumn") ? json.text("groupColumn") : null,
                json.has("selections") ? json.object("selections").texts() : Map.of());
    }
}
