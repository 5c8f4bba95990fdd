package org.bochner.testkit;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;

/** Contracts over many cases, which need no class each. */
final class Contracts {
    private Contracts() {}

    /** All tests of a contract, its own and those it inherits. */
    static <C> DynamicContainer over(Class<C> contract, String name, C example) {
        return dynamicContainer(
                name,
                Arrays.stream(contract.getMethods())
                        .filter(method -> method.isAnnotationPresent(Test.class))
                        .sorted(Comparator.comparing(Method::getName))
                        .map(method -> dynamicTest(method.getName(), () -> invoke(method, example))));
    }

    private static void invoke(Method test, Object target) throws Throwable {
        try {
            test.invoke(target);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
