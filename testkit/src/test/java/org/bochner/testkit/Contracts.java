package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Contracts over many cases, which need no class each. */
final class Contracts {
    private Contracts() {}

    /**
     * Returns one test that runs all tests of a contract, its own and those it inherits, and names every one that fails. One
     * report per contract, because a report per test of a contract takes longer than most of the tests.
     */
    static <C> DynamicTest over(Class<C> contract, String name, C example) {
        return dynamicTest(
                name,
                () -> assertAll(
                        name,
                        Arrays.stream(contract.getMethods())
                                .filter(method -> method.isAnnotationPresent(Test.class))
                                .sorted(Comparator.comparing(Method::getName))
                                .<Executable>map(method -> () -> invoke(method, example))));
    }

    private static void invoke(Method test, Object target) throws Throwable {
        try {
            test.invoke(target);
        } catch (InvocationTargetException e) {
            throw new AssertionError(test.getName() + ": " + e.getCause(), e.getCause());
        }
    }
}
