"""An ONNX graph as it is put together: nodes, tensors, and products in int8.

int8: weights per output channel, activations on the range of what is run together. So inputs are run one at a time, and
a score does not depend on its neighbours; padding and masks fall away, and a batch was no faster. Weights keep to 7
bits: without VNNI instructions two full products overflow the 16 bits they are added in. Words' vectors, over half of a
small model's bytes, are looked up and not multiplied: 8 bits and a scale a word. Written here and not by
onnxruntime.quantization, which takes ten seconds and warns on the root logger. Rejected: blockwise 8 bits (MatMulNBits:
a sixth of the error, but slower than float on AVX2), and scaling outlying channels into the weights (no less error).

Where a few tokens have values far above all others' (MPNet), one range leaves the others few steps; `by_row` brings
each row to 1 at most before the product. It takes a seventh more time, and P is then 0.017 from float32's in the mean,
not 0.060.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import onnx

Weights = Mapping[str, NDArray[np.float32]]

_FACTOR, _ROW = 63, 127
"""Greatest whole number of a multiplied matrix (7 bits with a sign), and of a looked-up vector."""
_OPSET = 20
_IR = 10


class Graph:
    """Nodes and tensors as they are added; every method that adds returns the name of its output."""

    by_row: ClassVar[bool] = False

    def __init__(self, weights: Weights, *, int8: bool) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self.weights = weights
        self._int8 = int8

    def model(self, name: str, inputs: Mapping[str, Sequence[str | int]], output: str, shape: Sequence[str]) -> Any:
        """Return the onnx.ModelProto of int64 `inputs`, by name with their shapes, to a float32 `output`."""
        from onnx import TensorProto, helper

        taken = [helper.make_tensor_value_info(one, TensorProto.INT64, sizes) for one, sizes in inputs.items()]
        given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
        made = helper.make_graph(self.nodes, name, taken, given, self.tensors)
        return helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR)

    def op(self, kind: str, *inputs: str, output: str | None = None, outputs: int = 1, **attributes: Any) -> str:
        """Add a node; further outputs are called <first>.1, <first>.2."""
        from onnx import helper

        output = output or f"n{len(self.nodes)}"
        names = [output, *(f"{output}.{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=output, **attributes))
        return output

    def tensor(self, value: NDArray[Any]) -> str:
        """Add a constant."""
        from onnx import numpy_helper

        name = f"t{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(value.copy(order="C"), name))
        return name

    def weight(self, name: str) -> str:
        """Add a weight as it is, in float32."""
        return self.tensor(self.weights[name])

    def ints(self, value: int | list[int]) -> str:
        """Add whole numbers, for shapes and indices."""
        return self.tensor(np.asarray(value, np.int64))

    def rows(self, weight: NDArray[np.float32], at: str) -> str:
        """Return weight[at]."""
        if not self._int8:
            return self.op("Gather", self.tensor(weight), at)
        rounded, scale = _rounded(weight, 1, _ROW)
        found = self.op("Cast", self.op("Gather", self.tensor(rounded), at), to=1)
        return self.op("Mul", found, self.op("Gather", self.tensor(scale), at))

    def product(self, x: str, weight: NDArray[np.float32]) -> str:
        """Return x @ weight, shape (batch, rows, columns)."""
        if not self._int8:
            return self.op("MatMul", x, self.tensor(weight))
        if not self.by_row:
            return self._rounded_product(x, weight)
        most = self.op("ReduceMax", self.op("Abs", x), self.ints([-1]), keepdims=1)
        most = self.op("Max", most, self.tensor(np.array([1e-9], np.float32)))
        return self.op("Mul", self._rounded_product(self.op("Div", x, most), weight), most)

    def dense(self, x: str, name: str, output: str | None = None) -> str:
        """Return the linear layer `name` of x."""
        product = self.product(x, self.weights[f"{name}.weight"].T)
        return self.op("Add", product, self.weight(f"{name}.bias"), output=output)

    def norm(self, x: str, name: str, epsilon: float) -> str:
        """Return the layer norm `name` of x."""
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.op("LayerNormalization", x, weight, bias, epsilon=epsilon)

    def _rounded_product(self, x: str, weight: NDArray[np.float32]) -> str:
        """Return x @ weight in int8, in the form that onnxruntime fuses into one kernel."""
        rounded, scale = _rounded(weight, 0, _FACTOR)
        name = self.op("DynamicQuantizeLinear", x, outputs=3)
        whole = self.op(
            "MatMulInteger", name, self.tensor(rounded), f"{name}.2", self.tensor(np.zeros_like(rounded[0]))
        )
        return self.op("Mul", self.op("Cast", whole, to=1), self.op("Mul", f"{name}.1", self.tensor(scale[0])))


def _rounded(weight: NDArray[np.float32], axis: int, most: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return whole numbers of at most `most`, and the scale along `axis` that restores `weight` from them."""
    scale = np.maximum(np.abs(weight).max(axis=axis, keepdims=True), 1e-9) / most
    return np.rint(weight / scale).astype(np.int8), scale
