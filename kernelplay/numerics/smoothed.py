"""The box QP from a cold start: Newton's method on the smoothed problem, few points first.

The dual with a proximal term, minimise 1/2 b'(K + sigma I)b - t'b + e'|b| over the box, is the primal with the hinge or
tube rounded off over a width of sigma C. Its Newton step solves for the variables strictly inside the box with all
others fixed, a line search on the convex primal makes it converge from anywhere, and as sigma falls the free set
becomes that of the QP itself (Mangasarian 2002; Keerthi and DeCoste 2005; Chapelle 2007). Many points are first thinned
out, with their box widened in proportion: the function that a quarter of them gives is where the descent goes on.
"""

from __future__ import annotations

import numpy as np

from kernelplay.numerics.active_set import ActiveSet, Settled
from kernelplay.numerics.box_problem import Farkas, Problem
from kernelplay.numerics.faces import Point
from kernelplay.numerics.linalg import Array
from kernelplay.numerics.separability import prove

STEPS = 250  # Newton steps of one descent before the careful active set is asked
SHRINK = 0.35  # of sigma, while the free set still changes
LEAP = 0.3  # of sigma, once it rests but is not yet that of the QP
CAREFUL = 500  # points for each of which the careful active set may change twice at the end
PATIENCE = 18  # shortened steps in a row before sigma is raised again
AT_FIRST = 6  # the same before the first step went all the way: what a coarser problem said was too sharp
RAISE = 4.0  # and by how much, the first time in a row
FASTER = 1.25  # power by which the fall of sigma recovers
RAISES = 12  # how often, before the rest is left to the careful active set
THIN = 4  # one point in so many makes the coarser problem
LEAST = 400  # points from which on a coarser problem pays
FEWEST = 100  # points of the coarsest one
SPARSE = 90  # free points at which a coarser problem has said what it knows
MANY = 4000  # points from which on the free set may wander for ever under a rough line search
GENTLE, PATIENCE_OF_WIDE, RAISE_OF_WIDE = 0.5, 12, 2.0  # SHRINK and LEAP, PATIENCE, RAISE behind a wide factor
ROUGH, EXACT = (0.5, 12), (0.01, 40)  # of the slope at the start of a line that may be left at its end; trials at most


class Descent:
    """One descent: the point reached, its sigma, and how far the search came."""

    def __init__(self, work: ActiveSet) -> None:
        self.work = work
        self.steps = 0
        self.farkas: Farkas | None = None  # why there is no solution, when the descent finds that out
        self.point = work.face.origin()
        self.sigma = self.first_sigma()

    def first_sigma(self) -> float:
        """The width at which the hinge is rounded off over twice the targets, but no less than 1 % of the kernel."""
        width = np.maximum(self.work.upper, -self.work.lower)
        width = width[np.isfinite(width) & (width > 0.0)]
        ends = 2.0 * self.work.size / float(np.median(width)) if len(width) else 0.0
        return max(ends, 1e-2 * self.work.face.scale)

    def warm(self, beta: Array, bias: float, sigma: float) -> None:
        """Start from a feasible beta (n,) instead of from nothing."""
        point = self.work.face.function(beta)
        self.point = Point(point.coef, point.f0, bias)
        self.sigma = sigma

    def coarse(self) -> None:
        """Start from what every fourth point says, found in the same way.

        Not for many points behind a wide factor: its leading columns make the first steps cheap enough, and where the
        classes overlap a quarter of the points says little about where the others are free.
        """
        problem = self.work.problem
        n = problem.gram.n
        if n < LEAST or self.work.face.wide:
            return
        # a fixed draw: the same points give the same answer
        rows = np.sort(np.random.default_rng(n).permutation(n)[: max(FEWEST, n // THIN)])
        share = n / len(rows)
        thinned = Problem(problem.gram.subset(rows), problem.t[rows], problem.e[rows], problem.lower[rows] * share,
                          problem.upper[rows] * share, problem.balanced)
        work = ActiveSet(thinned, self.work.face.check)
        descent = Descent(work)
        descent.coarse()
        descent.run(max(SPARSE, problem.gram.rank // 2) if problem.gram.low_rank else SPARSE)
        self.steps += descent.steps
        self.point = self.work.face.lifted(descent.point, rows)
        self.sigma = descent.sigma * share
        bias = self.balance(self.work.t - self.point.f0, self.sigma)
        self.point = Point(self.point.coef, self.point.f0, bias)

    def run(self, sparse: int = 0) -> Settled | None:
        """Follow the smoothed solution down in sigma until its free set is that of the QP; None if it never is.

        A positive `sparse` ends the descent, with None, once no more points than that are free.
        """
        work, face = self.work, self.work.face
        last = 1e-15 * face.scale
        r = work.t - self.point.f0 - self.point.bias
        beta = work.respond(r, self.sigma)
        free = work.inside(beta)
        sharper, leap = (GENTLE, GENTLE) if face.wide else (SHRINK, LEAP)
        patience, first_raise = (PATIENCE_OF_WIDE, RAISE_OF_WIDE) if face.wide else (PATIENCE, RAISE)
        raised = short = rests = 0
        arrived = False  # at the smoothed solution for some sigma
        shrink, jump = sharper, first_raise
        limit = self.steps + STEPS
        while self.steps < limit and self.sigma > last:
            self.steps += 1
            F = np.flatnonzero(free)
            bounded = np.where(free, 0.0, beta)
            if len(F):
                q = work.t[F] - np.sign(beta[F]) * work.e[F] if work.kinks else work.t[F]
                try:
                    target = face.newton(F, bounded, q, self.sigma)
                except np.linalg.LinAlgError:
                    return None
            else:
                target = face.function(bounded)
                target = Point(target.coef, target.f0, self.balance(work.t - target.f0, self.sigma))
            r, new, full = self.search(target, r, EXACT if short and face.n >= MANY else ROUGH)
            new_free = work.inside(new)
            changes = int(np.count_nonzero(new_free != free))
            beta, free = new, new_free
            if not full:
                short += 1
                if short >= (patience if arrived else AT_FIRST):
                    # sigma fell too far at once: go back, and fall more slowly from there
                    raised += 1
                    if raised > RAISES:
                        break
                    if jump == first_raise:
                        shrink = float(np.sqrt(shrink))
                    self.sigma *= jump
                    jump *= first_raise
                    short = 0
                    beta = work.respond(r, self.sigma)
                    free = work.inside(beta)
                continue
            short, jump, arrived = 0, first_raise, True
            if changes == 0:
                rests += 1
                settled = work.settle(beta, 4)
                if settled is None and rests % 3 == 0:
                    settled = work.settle(beta, 30 + len(F), careful=True)
                if settled is not None:
                    return settled
                if work.open and not work.problem.gram.strictly_pd:
                    self.farkas = prove(work.problem, beta)
                    if self.farkas is not None:
                        return None
                factor = leap
            elif changes <= max(2, len(F) // 8):
                factor = shrink
                shrink = max(sharper, shrink**FASTER)
            else:
                continue
            self.sigma *= factor
            if sparse and len(F) <= sparse:
                return None
            # the old free set predicts the next solution better than the response to the old function does
            beta = np.where(free, beta, work.respond(r, self.sigma))
        return work.settle(beta, 100 + 2 * min(face.n, CAREFUL), careful=True) if not sparse else None

    def search(self, target: Point, r: Array, aim: tuple[float, int] = ROUGH) -> tuple[Array, Array, bool]:
        """Line search on the convex primal from here to target: (r, response to it, whether it went all the way).

        Of many points, after a shortened step nearly to the minimum along the line (Keerthi and DeCoste 2005): a rough
        search lets the free set wander for ever where many of them are tied; of few it costs more than it brings.
        """
        level, trials = aim
        face, point, work, sigma = self.work.face, self.point, self.work, self.sigma
        along = target.f0 - point.f0
        change = along + (target.bias - point.bias)
        aligned = face.inner(point, target)
        base = aligned - face.inner(point, point)
        end_square = face.inner(target, target)
        start = base - float(work.respond(r, sigma) @ change)
        r_end = work.t - target.f0 - target.bias
        response = work.respond(r_end, sigma)
        end = end_square - aligned - float(response @ change)
        if start >= 0.0 or end <= level * -start:
            self.point = target
            return r_end, response, True
        curve = end_square - aligned - base
        low, low_slope, high, high_slope = 0.0, start, 1.0, end
        for trial in range(1, trials):
            a = low - (high - low) * low_slope / (high_slope - low_slope) if trial % 3 else 0.5 * (low + high)
            r_a = r - a * change
            response = work.respond(r_a, sigma)
            slope = base + a * curve - float(response @ change)
            if abs(slope) <= level * -start:
                break
            if slope > 0.0:
                high, high_slope = a, slope
            else:
                low, low_slope = a, slope
        self.point = Point(point.coef + a * (target.coef - point.coef), point.f0 + a * along,
                           point.bias + a * (target.bias - point.bias))
        return r_a, response, False

    def balance(self, r: Array, sigma: float) -> float:
        """The bias at which the responses to r - bias sum to zero, by bisection; 0 when nothing is balanced."""
        work = self.work
        if not work.problem.balanced:
            return 0.0
        width = np.maximum(work.upper, -work.lower)
        width = width[np.isfinite(width)]
        reach = float(np.abs(r).max() + work.e.max()) + sigma * float(width.max(initial=0.0))
        low, high = -reach, reach
        for _ in range(60):
            middle = 0.5 * (low + high)
            if work.respond(r - middle, sigma).sum() > 0.0:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)
