"""Makes figures.json: data, and what independent libraries say of them.

None of these libraries is a dependency of Bouts, not even of its development, as together they take 350 MB. To make the
figures anew, in an environment of their own:

    python -m venv other && other/bin/pip install scipy==1.17.1 statsmodels==0.15.0 choix==0.4.1
    other/bin/python tests/unit/standings/reference/make.py

The data are drawn by NumPy's generator with a fixed seed and stand in the file, so nothing rests on that generator.
"""

from __future__ import annotations

import json
from hashlib import shake_256
from itertools import combinations
from pathlib import Path

import choix
import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

AGENTS, TASKS, CHALLENGES, SEED = 6, 30, 12, 7
GRID = np.arange(-15, 16) * 0.4


def cells(rng: np.random.Generator) -> list[dict]:
    """Agents of different strength, tasks in challenges of different size, one to five attempts, gaps."""
    strength = np.linspace(-1.0, 1.2, AGENTS)
    challenge = np.sort(rng.integers(0, CHALLENGES, TASKS))
    hard = rng.normal(0, 1, CHALLENGES)[challenge] + rng.normal(0, 0.5, TASKS)
    rows = []
    for a in range(AGENTS):
        for t in range(TASKS):
            if a >= 4 and rng.random() < 0.15:
                continue
            n = int(rng.integers(1, 6))
            c = int(rng.binomial(n, 1 / (1 + np.exp(hard[t] - strength[a]))))
            rows.append({"agent": f"a{a}", "task": f"t{t:02}", "challenge": f"c{challenge[t]:02}", "n": n, "c": c})
    return rows


def distributions() -> dict:
    t = [
        [level, df, stats.t.ppf((1 + level) / 2, df)]
        for level in (0.5, 0.9, 0.95, 0.999)
        for df in (1, 2, 3, 9, 40, 999)
    ]
    tails = [[x, df, 2 * stats.t.sf(x, df)] for x in (0.0, 0.3, 1.0, 2.2, 6.0) for df in (1, 2, 7, 60)]
    quantiles = [[p, stats.norm.ppf(p)] for p in (1e-6, 0.025, 0.5, 0.8, 0.975)]
    return {"t": t, "tails": tails, "quantiles": quantiles}


def intervals() -> list:
    rows = []
    for c, n in ((0, 9), (1, 9), (18, 20), (250, 1000), (7, 7)):
        for level in (0.9, 0.95):
            low, high = proportion_confint(c, n, alpha=1 - level, method="wilson")
            rows.append([c, n, level, low, high])
    return rows


def column(rows: list[dict], agent: str) -> dict[str, tuple[float, str]]:
    return {r["task"]: (r["c"] / r["n"], r["challenge"]) for r in rows if r["agent"] == agent}


def clustered(rows: list[dict]) -> dict:
    out = {}
    for a in range(AGENTS):
        seen = column(rows, f"a{a}")
        y = np.array([v for v, _ in seen.values()])
        groups = np.unique([g for _, g in seen.values()], return_inverse=True)[1]
        fit = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        low, high = fit.conf_int(0.05)[0]
        out[f"a{a}"] = {
            "mean": fit.params[0],
            "error": fit.bse[0],
            "low": low,
            "high": high,
            "clusters": len(set(groups)),
        }
    return out


def paired(rows: list[dict]) -> list[dict]:
    out = []
    for a, b in combinations(range(AGENTS), 2):
        one, two = column(rows, f"a{a}"), column(rows, f"a{b}")
        shared = [t for t in one if t in two]
        y = np.array([one[t][0] - two[t][0] for t in shared])
        groups = np.unique([one[t][1] for t in shared], return_inverse=True)[1]
        fit = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        # Sums in sixtieths are whole, so no tie is lost to rounding.
        sums = np.round(np.bincount(groups, weights=y) * 60)
        test = stats.permutation_test(
            (sums,), lambda x, axis: x.sum(axis=axis), permutation_type="samples", vectorized=True, n_resamples=np.inf
        )
        # Twice the smaller side; the observed pattern counts whole, others that give the same sum a half.
        null, seen = test.null_distribution, sums.sum()
        sides = [(null > seen).sum(), (null < seen).sum()]
        p = min(1, 2 * (1 + min(sides) + ((null == seen).sum() - 1) / 2) / len(null))
        assert p <= test.pvalue
        out.append(
            {
                "first": f"a{a}", "second": f"a{b}", "difference": fit.params[0], "error": fit.bse[0],
                "p": p, "tasks": len(shared),
            }
        )  # fmt: skip
    return out


def bits(purpose: str, seed: int, clusters: int, rounds: int) -> np.ndarray:
    width = (clusters + 7) // 8
    data = np.frombuffer(shake_256(f"bouts {purpose} {seed}".encode()).digest(width * rounds), dtype=np.uint8)
    return np.unpackbits(data.reshape(rounds, width), axis=1, bitorder="little")[:, :clusters]


def ranks(rows: list[dict]) -> dict:
    """Every pair in every round, with no short cuts."""
    rounds, level = 1999, 0.95
    names = sorted({r["challenge"] for r in rows})
    psi = np.zeros((AGENTS, len(names)))
    means, weights = [], []
    for a in range(AGENTS):
        seen = column(rows, f"a{a}")
        mean = np.mean([v for v, _ in seen.values()])
        for value, challenge in seen.values():
            psi[a, names.index(challenge)] += (value - mean) / len(seen)
        means.append(mean)
        weights.append(np.array([sum(1 for _, c in seen.values() if c == name) / len(seen) for name in names]))
    signs = 2.0 * bits("rank sets", SEED, len(names), rounds) - 1
    pairs = list(combinations(range(AGENTS), 2))
    spread = {p: np.sqrt(((psi[p[0]] - psi[p[1]]) ** 2).sum()) for p in pairs}
    largest = np.max([np.abs(signs @ (psi[i] - psi[j])) / spread[i, j] for i, j in pairs], axis=0)
    u = np.sort(largest)[int(np.ceil(level * (rounds + 1))) - 1]
    low, high = dict.fromkeys(range(AGENTS), 1), dict.fromkeys(range(AGENTS), AGENTS)
    for i, j in pairs:
        g = 1 / (((weights[i] + weights[j]) / 2) ** 2).sum()
        t = abs(means[i] - means[j]) / (spread[i, j] * np.sqrt(g / (g - 1)))
        if u * u < g and t > u * np.sqrt((g - 1) / (g - u * u)):
            better, worse = (i, j) if means[i] > means[j] else (j, i)
            low[worse] += 1
            high[better] -= 1
    g = 1 / (np.mean(weights, axis=0) ** 2).sum()
    sets = {f"a{a}": [low[a], high[a]] for a in range(AGENTS)}
    return {"critical": u * np.sqrt((g - 1) / (g - u * u)), "sets": sets, "seed": SEED}


def bradley_terry(rows: list[dict]) -> dict:
    columns = [column(rows, f"a{a}") for a in range(AGENTS)]
    wins = np.zeros((AGENTS, AGENTS))
    duels = []
    for i, j in combinations(range(AGENTS), 2):
        for task in columns[i]:
            if task in columns[j]:
                a, b = columns[i][task][0], columns[j][task][0]
                won = 0.5 if abs(a - b) < 1e-12 else float(a > b)
                wins[i, j] += won
                wins[j, i] += 1 - won
                duels.append((i, j, won, columns[i][task][1]))
    padded = wins + 0.5 * (1 - np.eye(AGENTS))
    strengths = choix.ilsr_pairwise_dense(padded, alpha=0.0, tol=1e-13, max_iter=100_000)
    strengths = strengths - strengths.mean()
    chance = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weight = (padded + padded.T) * chance * (1 - chance)
    hessian = np.diag(weight.sum(1)) - weight
    names = sorted({d[3] for d in duels})
    scores = np.zeros((len(names), AGENTS))
    for i, j, won, challenge in duels:
        gap = won - chance[i, j]
        scores[names.index(challenge), i] += gap
        scores[names.index(challenge), j] -= gap
    scores -= scores.mean(0)
    g = len(names)
    bread = np.linalg.pinv(hessian)
    cov = bread @ (scores.T @ scores) @ bread * g / (g - 1)
    return {
        "strengths": list(strengths), "errors": list(np.sqrt(np.diag(cov))), "clusters": g, "wins": list(wins.sum(1)),
        "quantile": stats.t.ppf(0.975, g - 1),
    }  # fmt: skip


def answers(rng: np.random.Generator, agents: int, items: int, attempts: int) -> np.ndarray:
    ability = rng.normal(0, 1, agents)
    hard, steep = rng.normal(0, 1, items), np.exp(rng.normal(0, 0.4, items))
    return rng.binomial(attempts, 1 / (1 + np.exp(-steep * (ability[:, None] - hard))))


def items(rng: np.random.Generator) -> list[dict]:
    out = []
    for attempts in (1, 4):
        solved = answers(rng, 15, 10, attempts)
        shares = solved / attempts
        rest = (shares.sum(1, keepdims=True) - shares) / (shares.shape[1] - 1)
        measure = stats.pointbiserialr if attempts == 1 else stats.pearsonr
        found = [measure(shares[:, i], rest[:, i])[0] for i in range(shares.shape[1])]
        out.append(
            {
                "attempts": attempts, "solved": solved.tolist(), "difficulty": list(shares.mean(0)),
                "discrimination": [None if np.isnan(v) else v for v in found],
            }
        )  # fmt: skip
    return out


def model(rng: np.random.Generator) -> dict:
    """The same model, fitted by a general optimiser and then by finding where its gradient is nothing."""
    attempts, spread_a, spread_b = 2, 0.5, 2.0
    solved = answers(rng, 24, 8, attempts)
    prior = -(GRID**2) / 2
    prior = prior - np.log(np.exp(prior).sum())

    def parts(x: np.ndarray):
        log_a, b = x[0::2], x[1::2]
        z = np.exp(log_a)[:, None] * (GRID[None, :] - b[:, None])
        yes, no = -np.logaddexp(0, -z), -np.logaddexp(0, z)
        logs = solved @ yes + (attempts - solved) @ no + prior
        top = logs.max(1, keepdims=True)
        level = (top[:, 0] + np.log(np.exp(logs - top).sum(1))).sum()
        post = np.exp(logs - top)
        post /= post.sum(1, keepdims=True)
        return log_a, b, z, np.exp(yes), post, level

    def value(x: np.ndarray) -> float:
        log_a, b, _, _, _, level = parts(x)
        return -(level - (log_a**2).sum() / (2 * spread_a**2) - (b**2).sum() / (2 * spread_b**2))

    def gradient(x: np.ndarray) -> np.ndarray:
        log_a, b, z, p, post, _ = parts(x)
        won, count = solved.T @ post, attempts * post.sum(0)
        miss = won - count[None, :] * p
        out = np.empty_like(x)
        out[0::2] = (miss * z).sum(1) - log_a / spread_a**2
        out[1::2] = -(miss * np.exp(log_a)[:, None]).sum(1) - b / spread_b**2
        return -out

    rough = optimize.minimize(value, np.zeros(16), jac=gradient, method="BFGS", options={"gtol": 1e-10})
    fine = optimize.root(gradient, rough.x, method="hybr", options={"xtol": 1e-15})
    assert np.abs(gradient(fine.x)).max() < 1e-11
    post = parts(fine.x)[4]
    ability = post @ GRID
    error = np.sqrt((post * (GRID[None, :] - ability[:, None]) ** 2).sum(1))
    return {
        "attempts": attempts, "solved": solved.tolist(), "discrimination": list(np.exp(fine.x[0::2])),
        "difficulty": list(fine.x[1::2]), "ability": list(ability), "error": list(error),
    }  # fmt: skip


def bootstrap(rows: list[dict]) -> dict:
    """The mean over tasks of one agent, challenges drawn anew by the same stream of random words."""
    rounds = 1999
    seen = column(rows, "a4")
    names = sorted({g for _, g in seen.values()})
    sums = np.array([sum(v for v, g in seen.values() if g == name) for name in names])
    counts = np.array([sum(1 for _, g in seen.values() if g == name) for name in names])
    data = shake_256(f"bouts bootstrap {SEED}".encode()).digest(4 * len(names) * rounds)
    draws = (np.frombuffer(data, dtype="<u4").astype(np.uint64).reshape(rounds, -1) * len(names)) >> np.uint64(32)
    draws = draws.astype(int)
    found = sums[draws].sum(1) / counts[draws].sum(1)
    low, high = np.percentile(found, [2.5, 97.5])
    return {"agent": "a4", "seed": SEED, "low": low, "high": high, "error": found.std(ddof=1)}


def main() -> None:
    rng = np.random.default_rng(20)
    rows = cells(rng)
    chances = [0.012, 0.2, 0.015, 0.9, 0.0004, 0.05, 0.012]
    made = {
        "made with": {
            "scipy": scipy.__version__,
            "statsmodels": statsmodels.__version__,
            "choix": "0.4.1",
            "numpy": np.__version__,
        },
        "cells": rows,
        "distributions": distributions(),
        "wilson": intervals(),
        "holm": {"given": chances, "adjusted": list(multipletests(chances, method="holm")[1])},
        "clustered": clustered(rows),
        "paired": paired(rows),
        "ranks": ranks(rows),
        "bradley_terry": bradley_terry(rows),
        "items": items(rng),
        "model": model(rng),
        "bootstrap": bootstrap(rows),
    }
    text = json.dumps(made, indent=1, default=float)
    Path(__file__).with_name("figures.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
