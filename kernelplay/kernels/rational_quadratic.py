"""The rational quadratic kernel: RBF kernels of many widths at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kernelplay.i18n import say
from kernelplay.kernels.base import Array
from kernelplay.kernels.distance import Isotropic
from kernelplay.kernels.matern import length_scale_field
from kernelplay.kernels.written import literal
from kernelplay.spec import real

if TYPE_CHECKING:
    from kernelplay.kernels.written import Spelling


@dataclass(frozen=True)
class RationalQuadratic(Isotropic):
    """k(x, x') = (1 + r²/(2 alpha l²))^(−alpha), r = ||x − x'||. Rasmussen and Williams (4.19).

    It tends to the RBF kernel of the same length scale as alpha grows.
    """

    key = "rational_quadratic"
    label = say("Rational quadratic")
    about = say("A mixture of RBF kernels of many widths: near points matter most, far ones still a little.")
    order = 50

    length_scale: float = length_scale_field()
    alpha: float = real(1.0, 1e-1, 1e2, log=True, symbol="α", label=say("Mixture"),
                        help=say("Higher: fewer widths are mixed; the kernel approaches the RBF kernel."))

    def profile(self, r2: Array) -> Array:
        # exp(log1p) keeps all digits for large alpha, where 1 + r²/(2 alpha l²) is nearly 1
        with np.errstate(over="ignore"):  # beyond every number of length scales the value is 0
            exponents = np.log1p(r2 / self.length_scale / self.length_scale / (2 * self.alpha)) * -self.alpha
        return np.exp(exponents, out=exponents)

    def python(self, X: str, Z: str) -> str:
        alpha, length = literal(self.alpha), literal(self.length_scale)
        return f"(1 + squared_distances({X}, {Z}) / (2 * {alpha} * {length}**2)) ** -{alpha}"

    def latex(self, x: str, z: str, put: Spelling) -> str:
        alpha, length = put(self, "alpha"), put(self, "length_scale")
        return (rf"\left(1 + \frac{{\lVert {x} - {z} \rVert^2}}{{2 \cdot {alpha} \cdot {length}^2}}\right)"
                rf"^{{-{alpha}}}")

    def expression(self, x: str, z: str) -> str:
        return f"(1 + ‖{x} − {z}‖²/(2αℓ²))⁻ᵅ"
