"""Kernels as plain formulas, so that these tests depend on nothing else of the package; and the usual problems."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from kernelplay.numerics.box_qp import Problem


@dataclass(frozen=True)
class RBF:
    gamma: complex = 1.0
    psd = True
    strictly_pd = True

    def __call__(self, X, Z):
        return np.exp(-self.gamma * cdist(X, Z, "sqeuclidean"))

    def diagonal(self, X):
        return np.ones(len(X))


@dataclass(frozen=True)
class Matern32:
    length: float = 1.0
    psd = True
    strictly_pd = True

    def __call__(self, X, Z):
        d = np.sqrt(3.0) * cdist(X, Z) / self.length
        return (1.0 + d) * np.exp(-d)

    def diagonal(self, X):
        return np.ones(len(X))


@dataclass(frozen=True)
class Linear:
    psd = True

    def __call__(self, X, Z):
        return X @ Z.T

    def diagonal(self, X):
        return np.einsum("ij,ij->i", X, X)

    def features(self, X):
        return X


@dataclass(frozen=True)
class Cubic:
    """(x.z + 1)^3, dense or through its ten features in the plane."""

    psd = True

    def __call__(self, X, Z):
        return (X @ Z.T + 1.0) ** 3

    def diagonal(self, X):
        return (np.einsum("ij,ij->i", X, X) + 1.0) ** 3


@dataclass(frozen=True)
class Times:
    factor: float
    kernel: object
    psd = True

    @property
    def strictly_pd(self):
        return self.kernel.strictly_pd

    def __call__(self, X, Z):
        return self.factor * self.kernel(X, Z)

    def diagonal(self, X):
        return self.factor * self.kernel.diagonal(X)


@dataclass(frozen=True)
class Sigmoid:
    gamma: float = 1.0
    coef0: float = 0.0
    psd = False

    def __call__(self, X, Z):
        return np.tanh(self.gamma * X @ Z.T + self.coef0)

    def diagonal(self, X):
        return np.tanh(self.gamma * np.einsum("ij,ij->i", X, X) + self.coef0)


def svm(gram, y, C):
    return Problem(gram, y, np.zeros(len(y)), np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0))


def svr(gram, t, C, epsilon):
    n = len(t)
    return Problem(gram, t, np.full(n, epsilon), np.full(n, -C), np.full(n, C))


def two_moons(n, seed, noise=0.25):
    rng = np.random.default_rng(seed)
    y = np.where(rng.permutation(n) % 2 == 0, 1.0, -1.0)
    angle = rng.uniform(0.0, np.pi, n)
    X = np.where(
        (y > 0)[:, None], np.c_[np.cos(angle), np.sin(angle)], np.c_[1.0 - np.cos(angle), 0.5 - np.sin(angle)]
    )
    return X + noise * rng.standard_normal((n, 2)), y


def noisy_wave(n, seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3.0, 3.0, n))[:, None]
    return x, np.sinc(x[:, 0]) + 0.1 * rng.standard_normal(n)
