"""The ONNX operators that a snapshot may use: those of our exporters, ML-Agents, Stable-Baselines3 and torch.

Left out on purpose: loops and branches (Loop, Scan, If), which can run for ever, sequences, optionals and texts, which
no policy needs, and every domain but ONNX's own: https://onnx.ai/onnx/operators
"""

from __future__ import annotations

DOMAINS = ("", "ai.onnx")

_NAMES = """
Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool
BatchNormalization Bernoulli BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor
Cast CastLike Ceil Celu Clip Concat Constant ConstantOfShape Conv ConvInteger ConvTranspose Cos Cosh CumSum
DepthToSpace DequantizeLinear Div Dropout DynamicQuantizeLinear
Einsum Elu Equal Erf Exp Expand EyeLike
Flatten Floor
GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual
GroupNormalization
HardSigmoid HardSwish Hardmax
Identity InstanceNormalization IsInf IsNaN
LSTM LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax LpNormalization
MatMul MatMulInteger Max MaxPool Mean MeanVarianceNormalization Min Mish Mod Mul Multinomial
Neg NonZero Not
OneHot Or
PRelu Pad Pow
QLinearConv QLinearMatMul QuantizeLinear
RMSNormalization RNN RandomNormalLike RandomUniformLike Range Reciprocal
ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare
Relu Reshape Resize RotaryEmbedding Round
ScatterElements ScatterND Selu Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax Softplus Softsign
SpaceToDepth Split Sqrt Squeeze Sub Sum Swish
Tan Tanh ThresholdedRelu Tile TopK Transpose Trilu
Unsqueeze
Where
Xor
"""

OPERATORS = frozenset(_NAMES.split())
