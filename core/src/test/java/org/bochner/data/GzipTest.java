package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Test;

/** Gzip files of several members, whole and damaged. */
class GzipTest {
    private static final String ROWS = "1 1:1\n2 2:2\n".repeat(500);

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    private static byte[] member() {
        return Sample.gzip(ROWS.getBytes(StandardCharsets.UTF_8));
    }

    private static FileSource open(byte[] bytes) {
        return DataFiles.open(DataOptions.of("t.libsvm.gz"), path -> Sample.input(path, bytes));
    }

    private static String failure(byte[] bytes) {
        return String.valueOf(
                assertThrows(DataException.class, () -> open(bytes)).getMessage());
    }

    @Test
    void readsAllMembers() {
        FileSource source = open(join(member(), member(), Sample.gzip(new byte[0]), member()));
        assertEquals(3000, source.rows());
        assertEquals(3000, Sample.of(source, 1000).rows.size());
    }

    @Test
    void aDamagedHeaderOfALaterMemberIsAnError() {
        int second = member().length;
        for (int at : new int[] {0, 1, 2, 3}) {
            byte[] both = join(member(), member());
            both[second + at] ^= 0x55;
            String message = failure(both);
            assertTrue(message.startsWith("t.libsvm.gz: damaged or cut off gzip file: byte " + second + ": "), message);
        }
    }

    @Test
    void bytesAfterTheEndAreAnErrorUnlessTheyAreZeros() {
        byte[] one = member();
        assertEquals(1000, open(join(one, new byte[100_000])).rows());
        String garbage = failure(join(one, "garbage".getBytes(StandardCharsets.US_ASCII)));
        assertTrue(garbage.contains("byte " + one.length + ": neither another member nor zeros"), garbage);
        String later = failure(join(one, new byte[70_000], one));
        assertTrue(later.contains("byte " + (one.length + 70_000) + ": zeros and then other bytes"), later);
    }

    @Test
    void everyTruncationIsAnError() {
        byte[] both = join(member(), member());
        for (int length = 2; length < both.length; length++) {
            if (length != member().length) {
                String message = failure(Arrays.copyOf(both, length));
                assertTrue(message.contains("byte " + length + ": the file ends inside the "), message);
                assertTrue(message.endsWith("it is truncated"), message);
            }
        }
    }

    @Test
    void aChecksumOrLengthThatDiffersIsAnError() {
        byte[] one = member();
        one[one.length - 8] ^= 1;
        assertTrue(failure(one).contains("do not have the checksum of the file"));
        byte[] other = member();
        other[other.length - 1] ^= 1;
        assertTrue(failure(other).contains("do not have the length"));
    }

    @Test
    void allFieldsOfTheHeaderAreReadOver() {
        byte[] plain = member();
        byte[] fields = join(
                new byte[] {0x1f, (byte) 0x8b, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3},
                new byte[] {3, 0, 'a', 'b', 'c'},
                "name\0comment\0".getBytes(StandardCharsets.US_ASCII));
        CRC32 crc = new CRC32();
        crc.update(fields);
        byte[] sum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
        assertEquals(2000, open(join(fields, sum, rest, plain)).rows());
        sum[0] ^= 1;
        assertTrue(failure(join(fields, sum, rest)).contains("the header of member 1 does not have its checksum"));
    }
}
