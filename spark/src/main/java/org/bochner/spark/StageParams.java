package org.bochner.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.bochner.base.BochnerException;
import org.jspecify.annotations.Nullable;
import scala.runtime.AbstractFunction1;

/**
 * Makes, sets and reads the params of stages. Values are checked when they are set: with the parser of the library that reads
 * them later.
 *
 * <p>A method of an interface makes a new {@link Param} at each call. Params are equal if their stage and name are equal.
 */
final class StageParams {
    private StageParams() {}

    /** Throws if a value is not allowed, or returns what is read from it, which is not used. */
    @FunctionalInterface
    interface Rule<T> extends Serializable {
        @Nullable
        Object read(T value);
    }

    /** The check of a param: names the stage, the param and the value. */
    private static final class Check<T> extends AbstractFunction1<T, Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String owner;
        private final Rule<T> rule;

        Check(String owner, Rule<T> rule) {
            this.owner = owner;
            this.rule = rule;
        }

        @Override
        public Object apply(T value) {
            try {
                rule.read(value);
                return true;
            } catch (BochnerException e) {
                throw new IllegalArgumentException(owner + " = " + shown(value) + ": " + e.problem(), e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(owner + " = " + shown(value) + ": " + e.getMessage(), e);
            }
        }

        private static String shown(@Nullable Object value) {
            return value instanceof Object[] several ? Arrays.toString(several) : "'" + value + "'";
        }
    }

    private static <T> Check<T> check(Params stage, String name, Rule<T> rule) {
        return new Check<>(stage.uid() + ": param " + name, rule);
    }

    static Param<String> text(Params stage, String name, String doc, Rule<String> rule) {
        return new Param<>(stage, name, doc, check(stage, name, rule));
    }

    /** Returns the param of a column that must have a name. */
    static Param<String> column(Params stage, String name, String doc) {
        return text(stage, name, doc, value -> {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("must be the name of a column");
            }
            return value;
        });
    }

    /** Returns the param of a column to write, which may be empty. */
    static Param<String> output(Params stage, String name, String doc) {
        return new Param<>(stage, name, doc + "; empty for none");
    }

    static Param<String> oneOf(Params stage, String name, String doc, List<String> allowed) {
        return text(stage, name, doc + ": " + String.join(", ", allowed), value -> {
            if (!allowed.contains(value)) {
                throw new IllegalArgumentException("must be one of " + String.join(", ", allowed));
            }
            return value;
        });
    }

    static StringArrayParam texts(Params stage, String name, String doc, Rule<String[]> rule) {
        return new StringArrayParam(stage, name, doc, check(stage, name, rule));
    }

    static IntParam count(Params stage, String name, String doc) {
        return new IntParam(stage, name, doc, check(stage, name, value -> {
            if (!((Integer) value >= 1)) {
                throw new IllegalArgumentException("must be at least 1");
            }
            return value;
        }));
    }

    static LongParam number(Params stage, String name, String doc) {
        return new LongParam(stage, name, doc);
    }

    static BooleanParam flag(Params stage, String name, String doc) {
        return new BooleanParam(stage, name, doc);
    }

    /** Sets a param and returns the stage, whose type the caller knows. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // each stage casts once here, not in each of its setters
    static <S, T> S set(Params stage, Param<T> param, T value) {
        stage.set(param, value);
        @SuppressWarnings("unchecked") // the interfaces of params have the type of the stage as their parameter
        S same = (S) stage;
        return same;
    }

    /** Returns a value that is set or a default; empty if there is neither. */
    static <T> Optional<T> value(Params stage, Param<T> param) {
        return stage.isDefined(param) ? Optional.of(stage.getOrDefault(param)) : Optional.empty();
    }

    /** Returns a text that is set or a default; empty for none, and for an empty text. */
    static Optional<String> textOf(Params stage, Param<String> param) {
        return value(stage, param).filter(text -> !text.isEmpty());
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
