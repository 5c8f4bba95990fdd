"""Kernel machines on Apache Spark: the pipeline stages of bochner-spark in Python.

Each class wraps the Java class of the same name and has its params. Start Spark with the jar and this package:

    spark-submit --jars bochner-spark.jar --py-files bochner_spark.zip program.py
"""

import sys

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import JavaMLReadable, JavaMLReader, JavaMLWritable
from pyspark.ml.wrapper import JavaEstimator, JavaModel

__all__ = [
    "FeatureMapper",
    "FeatureMapperModel",
    "KernelClassificationModel",
    "KernelClassifier",
    "KernelRegressionModel",
    "KernelRegressor",
]

_PACKAGE = "org.bochner.spark"

# Pipelines that Java loads look for the Python class under the name of the Java class.
sys.modules.setdefault(_PACKAGE, sys.modules[__name__])


def _text(name, doc):
    return Param(Params._dummy(), name, doc, typeConverter=TypeConverters.toString)


def _texts(name, doc):
    return Param(Params._dummy(), name, doc, typeConverter=TypeConverters.toListString)


def _whole(name, doc):
    return Param(Params._dummy(), name, doc, typeConverter=TypeConverters.toInt)


def _flag(name, doc):
    return Param(Params._dummy(), name, doc, typeConverter=TypeConverters.toBoolean)


class _Reader(JavaMLReader):
    @classmethod
    def _java_loader_class(cls, clazz):
        return _PACKAGE + "." + clazz.__name__


class _Stage(JavaMLReadable, JavaMLWritable):
    """What all stages have: getParam and setParam for each param, and reading and writing."""

    @classmethod
    def read(cls):
        """Returns a reader of saved stages."""
        return _Reader(cls)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for base in cls.__mro__:
            for name, param in list(vars(base).items()):
                if isinstance(param, Param):
                    cls._add_accessors(name)

    @classmethod
    def _add_accessors(cls, name):
        def getter(self):
            return self.getOrDefault(self.getParam(name))

        def setter(self, value):
            return self._set(**{name: value})

        for prefix, accessor in (("get", getter), ("set", setter)):
            accessor.__name__ = prefix + name[0].upper() + name[1:]
            if not hasattr(cls, accessor.__name__):
                setattr(cls, accessor.__name__, accessor)


class _Estimator(_Stage, JavaEstimator):
    def __init__(self, **params):
        super().__init__()
        self._java_obj = self._new_java_obj(_PACKAGE + "." + type(self).__name__, self.uid)
        self._transfer_params_from_java()
        self._set(**params)

    def setParams(self, **params):
        """Sets several params."""
        return self._set(**params)

    def _create_model(self, java_model):
        model = self._model(java_model)
        model._transfer_params_from_java()
        return model


class _Model(_Stage, JavaModel):
    @classmethod
    def fromFile(cls, path):
        """Reads a model file, such as one that bochner train wrote."""
        model = cls(_Reader._load_java_obj(cls).fromFile(path))
        model._transfer_params_from_java()
        return model


class _InputParams(Params):
    featuresCol = _text("featuresCol", "column of the features: a vector or an array of numbers")
    featuresCols = _texts("featuresCols", "columns of the features, in place of featuresCol")
    handleInvalid = _text("handleInvalid", "what transform does with rows that it cannot read: error, skip, keep")


class _PredictionParams(_InputParams):
    predictionCol = _text("predictionCol", "new column of the prediction")


class _ClassificationParams(_PredictionParams):
    rawPredictionCol = _text("rawPredictionCol", "new column of the vector of scores")
    probabilityCol = _text("probabilityCol", "new column of the vector of probabilities")


class _MapParams(_InputParams):
    kernel = _text("kernel", "kernel; missing scales are chosen from the data")
    map = _text("map", "feature map")
    features = _whole("features", "number of features, if the map can make any number")
    scaling = _text("scaling", "scaling of rows; chosen from the data if it is not set")
    components = _text("components", "number of principal components of the features, or a share of the variance")
    seed = _whole("seed", "seed of everything random")


class _TrainingParams(_MapParams, _PredictionParams):
    labelCol = _text("labelCol", "column of the labels")
    weightCol = _text("weightCol", "column of the row weights")
    learner = _text("learner", "loss, penalties and solver")
    precision = _text("precision", "floating-point type of the features: float, double")
    uncertainty = _text("uncertainty", "uncertainty of predictions that the saved model has")
    learnScales = _text("learnScales", "what kernel learning learns: none, one, block, column, frequency")
    criterion = _text("criterion", "criterion of kernel learning")
    channels = _text("channels", "channels of columns whose kernels get learned weights")
    channelKernels = _texts("channelKernels", "kernels of single channels, such as shape=chi2")
    norm = _text("norm", "norm of the kernel weights of channels: 1, a larger number, or average")
    loss = _text("loss", "loss of multiple kernel learning")


class _ClassTrainingParams(_TrainingParams, _ClassificationParams):
    calibration = _text("calibration", "calibration of scores to probabilities")
    balanced = _flag("balanced", "true to give all classes the same total weight")
    classWeights = _texts("classWeights", "factors of the row weights of classes, such as spam=2")


class _MapperParams(_InputParams):
    outputCol = _text("outputCol", "new column of the vector of features of the map")


class KernelClassificationModel(_Model, _ClassificationParams):
    """A trained machine that predicts classes."""

    classNames = _texts("classNames", "names of the class indices, in order")


class KernelRegressionModel(_Model, _PredictionParams):
    """A trained machine that predicts a number."""


class FeatureMapperModel(_Model, _MapperParams):
    """A fitted scaling and feature map."""


class KernelClassifier(_Estimator, _ClassTrainingParams):
    """Trains a kernel machine that predicts classes."""

    _model = KernelClassificationModel


class KernelRegressor(_Estimator, _TrainingParams):
    """Trains a kernel machine that predicts a number."""

    _model = KernelRegressionModel


class FeatureMapper(_Estimator, _MapParams, _MapperParams):
    """Fits a feature map."""

    _model = FeatureMapperModel
