package org.bochner.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class EscapeTest {
    @Test
    void lineEndsAndOtherControlCharactersAreEscaped() {
        assertEquals("new\\nline", Escape.line("new\nline"));
        assertEquals("a\\r\\n\\tb", Escape.line("a\r\n\tb"));
        assertEquals("\\u0000\\u001b[2J\\u0085\\u2028\\u2029", Escape.line("\0\u001b[2J\u0085\u2028\u2029"));
    }

    @Test
    void otherTextIsReturnedAsItIs() {
        String text = "C:\\data, \"é\" \uD83D\uDE00";
        assertSame(text, Escape.line(text));
        assertSame("", Escape.line(""));
    }

    @Test
    void messagesKeepTheirBackslashes() {
        assertEquals("C:\\new: 'a\\nb' and c\\nd", Escape.message("C:\\new: 'a\\nb' and c\nd"));
    }

    @Test
    void differentTextsStayDifferent() {
        assertEquals("p\\nq", Escape.line("p\nq"));
        assertEquals("p\\\\nq", Escape.line("p\\nq"));
        assertEquals("p\\\\\\\\nq", Escape.line("p\\\\nq"));
    }
}
