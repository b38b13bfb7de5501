"""The language's functions over PyTorch, for what PrintModel.cpp prints: rules 3, 4, 8 and 9 of docs/language.md."""

import math

import torch

DOUBLE = torch.float64
abs, sqrt, exp, tanh, sigmoid, sin, atan, erf = (
    torch.abs, torch.sqrt, torch.exp, torch.tanh, torch.sigmoid, torch.sin, torch.atan, torch.erf)
min, max, floor, ceil, round, trunc, sign, fmod, isnan, relu = (
    torch.minimum, torch.maximum, torch.floor, torch.ceil, torch.round, torch.trunc, torch.sign, torch.fmod,
    torch.isnan, torch.relu)


def real(text):
    return torch.tensor(float.fromhex(text), dtype=DOUBLE)


def whole(number):
    return torch.tensor(number, dtype=torch.int32)


def truth(number):
    return torch.tensor(bool(number))


def to_real(value):
    return value.to(DOUBLE)


def to_whole(value):
    """Saturates, NaN is 0; nothing flows back."""
    if value.is_floating_point():
        value = torch.nan_to_num(value.detach(), nan=0.0).clamp(-2.0**31, 2.0**31 - 1)
    return value.to(torch.int32)


def to_truth(value):
    return value != 0


def clip(x, low, high):
    if not x.is_floating_point():
        return min(max(x, low), high)
    return torch.clamp(x, *torch.broadcast_tensors(low, high))


def floor_divide(a, b):
    """Nothing flows back; PyTorch has no derivative."""
    return torch.floor_divide(a.detach(), b.detach())


def softplus(x):
    """torch's own is linear above its threshold."""
    return torch.logaddexp(x, torch.zeros_like(x))


def integer_power(x, n):
    """Products from the left, as the language has them."""
    if n == 0:
        return torch.ones_like(x)
    product = x
    for _ in range(-n - 1 if n < 0 else n - 1):
        product = product * x
    return 1 / product if n < 0 else product


class Spike(torch.autograd.Function):
    """1 where x >= 0, or x > 0; the surrogate's slope backwards."""

    @staticmethod
    def forward(ctx, slope, strict, x):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return to_real(x > 0 if strict else x >= 0)

    @staticmethod
    def backward(ctx, grad):
        return None, None, grad * ctx.slope(*ctx.saved_tensors)


def spike(surrogate, strict, x, *arguments):
    return Spike.apply(lambda at: surrogate(at, *arguments), strict, x)


class OwnSurrogate(torch.autograd.Function):
    """A value and the gradients that the text gives it."""

    @staticmethod
    def forward(ctx, value, gradients, *arguments):
        ctx.save_for_backward(*arguments)
        ctx.gradients = gradients
        return value(*arguments)

    @staticmethod
    def backward(ctx, grad):
        at = ctx.saved_tensors
        return None, None, *(formula and grad * formula(*at) for formula in ctx.gradients)


def own_surrogate(value, gradients, *arguments):
    """A value for each neuron, be it one number for all, and a tensor of its own, be it an argument."""
    shape = torch.broadcast_shapes(*(argument.shape for argument in arguments))
    return OwnSurrogate.apply(lambda *at: value(*at).expand(shape).clone(), gradients, *arguments)


class Quant(torch.autograd.Function):
    """Round half to even of clip; straight through inside the window."""

    @staticmethod
    def forward(ctx, x, low, high):
        ctx.save_for_backward(x, low, high)
        return torch.round(min(max(x, low), high))

    @staticmethod
    def backward(ctx, grad):
        x, low, high = ctx.saved_tensors
        return torch.where((x >= low) & (x <= high), grad, torch.zeros_like(grad)), None, None


quant = Quant.apply


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None


gscale = ScaleGradient.apply


# ---- Slopes of surrogates: SpikingJelly's, and three others ---------------------------------------------------------

def bell(x, alpha):
    return alpha * sigmoid(alpha * x) * (1 - sigmoid(alpha * x))


def series(x, n, period):
    terms = [torch.cos((2 * i - 1) * 2 * math.pi / period * x) for i in range(1, int(n))]
    return 4 / period * sum(terms, torch.zeros_like(x))


SURROGATES = {
    "piecewise_quadratic": lambda x, a: torch.where(abs(x) > 1 / a, 0.0, a - a * a * abs(x)),
    "piecewise_exp": lambda x, a: a / 2 * exp(-a * abs(x)),
    "sigmoid": bell,
    "soft_sign": lambda x, a: 1 / (2 * a * (1 / a + abs(x))**2),
    "super_spike": lambda x, a: a / (1 + abs(x))**2,
    "atan": lambda x, a: a / 2 / (1 + (math.pi / 2 * a * x)**2),
    "nonzero_sign_log_abs": lambda x, a: 1 / (1 / a + abs(x)),
    "erf": lambda x, a: a / math.sqrt(math.pi) * exp(-(a * x)**2),
    "piecewise_leaky_relu": lambda x, w, c: torch.where(abs(x) < w, 1 / (2 * w), c),
    "squarewave_fourier_series": series,
    "s2nn": lambda x, a, b: torch.where(x < 0, bell(x, a), b / (x + 1)),
    "q_pseudo_spike": lambda x, a: (1 + 2 / (a - 1) * abs(x))**-a,
    "leaky_k_relu": lambda x, leak, k: torch.where(x >= 0, k, leak),
    "fake_numerical_gradient": lambda x, a: min(torch.where(x >= 0, 1.0, -1.0) / x, a),
    "log_tailed_relu": lambda x, a: torch.where(x > 1, 1 / x, torch.where(x <= 0, a, 1.0)),
    "deterministic_pass": lambda x: torch.ones_like(x),
    "rect": lambda x, a: torch.where(abs(x) < 0.5 / a, a, 0.0),
    "triangle": lambda x, w: relu(1 - abs(x) / w) / w,
    "slayer": lambda x, a: a / 2 * exp(-a * abs(x)),
    "fast_sigmoid": lambda x, slope: 1 / (1 + slope * abs(x))**2,
}
