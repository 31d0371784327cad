"""What a spec promises, computed from the figures that the sampler uses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .figures import Figures
from .flicker import allan_variance_ou
from .spec import SENSORS

Array = NDArray[np.float64]


class Theory:
    """Theory of one spec.

    Parameters
    ----------
    figures : Figures
    """

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def allan_deviation(
        self, taus: ArrayLike, dt: float | None = None
    ) -> dict[str, dict[str, Array]]:
        """Return the Allan deviation by sensor and term, with their sum under "total".

        White noise N/sqrt(tau), random walk K sqrt(tau/3) (IEEE Std 952-1997, annex C), each
        Gauss-Markov and flicker process by its closed form.

        Parameters
        ----------
        taus : array_like, shape (n,)
            Averaging times [s].
        dt : float, optional
            Interval between captures [s]. Needed where noise is given per sample or an
            integration time is set, since there the law depends on it.

        Returns
        -------
        dict
            sensor -> term -> ndarray of shape (n, *batch, 3) [u]; terms that are off are left out.

        Raises
        ------
        ParameterError
            `taus` not positive, or `dt` missing.
        """
        try:
            times = np.asarray(taus, dtype=np.float64)
        except (TypeError, ValueError):
            times = np.zeros(1)
        if times.ndim != 1 or not ((times > 0.0) & (times < math.inf)).all():
            raise ParameterError("taus", taus, "must be finite times above 0 [s], shape (n,)")
        column = times.reshape(-1, *(1,) * (self._figures.sigma.ndim - 1))
        variances = {"white": self._white(column, dt)}
        for effect, rows in self._figures.effects.items():
            variances[effect] = self._processes(effect, rows, column)
        variances["total"] = np.sum(np.broadcast_arrays(*variances.values()), axis=0)
        return {
            sensor: {
                term: np.sqrt(variance[..., 3 * i : 3 * i + 3])
                for term, variance in variances.items()
                if term == "total" or variance[..., 3 * i : 3 * i + 3].any()
            }
            for i, sensor in enumerate(SENSORS)
        }

    def _white(self, tau: Array, dt: float | None) -> Array:
        figures = self._figures
        density = figures.density**2
        if figures.covariance is not None:
            density = density + np.diagonal(figures.covariance, axis1=-2, axis2=-1)
        if dt is None:
            if figures.per_sample.any() or np.isfinite(figures.integration_time).any():
                raise ParameterError(
                    "dt", dt, "must be given where noise is per sample or integration_time is set"
                )
            return density / tau
        window = np.minimum(figures.integration_time, dt)
        per_capture: Array = density / window + figures.per_sample**2
        return per_capture * dt / tau

    def _processes(self, effect: str, rows: slice, tau: Array) -> Array:
        sigma, half_rate = self._figures.sigma[rows], self._figures.half_rate[rows]
        total = np.zeros(np.broadcast_shapes(tau.shape, sigma.shape[1:]))
        for s, rate in zip(sigma, half_rate, strict=True):
            if effect == "random_walk":
                # q^2 tau/3 with q^2 = sigma^2 2/tau_0 = sigma^2 4 (1/(2 tau_0))
                total += s**2 * 4.0 * rate * tau / 3.0
            else:
                total += s**2 * allan_variance_ou(tau, 0.5 / rate)
        return total
