"""Makes fixtures/topology/random-digests-networkx-3.6.1.json: python3 -m pip install networkx==3.6.1, then run it in the repository."""

import hashlib
import json

import networkx as nx

MAKERS = {
    "barabasi-albert": lambda n, seed, m: nx.barabasi_albert_graph(n, m, seed=seed),
    "erdos-renyi": lambda n, seed, p: nx.erdos_renyi_graph(n, p, seed=seed),
    "random-geometric": lambda n, seed, radius: nx.random_geometric_graph(n, radius, seed=seed),
    "powerlaw-cluster": lambda n, seed, m, p: nx.powerlaw_cluster_graph(n, m, p, seed=seed),
}
LARGE = 123456789012345678901234567890
CASES = [
    *[("barabasi-albert", 95, seed, {"m": 6}) for seed in (-42, 2**32, -LARGE)],
    *[("erdos-renyi", 95, seed, {"p": 0.1}) for seed in (0, 1, 42, -42, LARGE)],
    *[("erdos-renyi", n, 7, {"p": p}) for n, p in ((2, 0.5), (10, 1), (300, 0.01), (400, 0.5))],
    *[("random-geometric", 95, seed, {"radius": 0.2}) for seed in (0, 1, 42, -42, LARGE)],
    *[("random-geometric", n, 7, {"radius": r}) for n, r in ((2, 0.9), (10, 1), (300, 0.05), (400, 0.3))],
    *[("powerlaw-cluster", 95, seed, {"m": 6, "p": 0.1}) for seed in (0, 1, 42, -42, LARGE)],
    *[
        ("powerlaw-cluster", n, 7, {"m": m, "p": p})
        for n, m, p in ((2, 1, 0.5), (10, 9, 1), (95, 2, 0.9), (95, 16, 1), (300, 30, 0.5), (400, 4, 0))
    ],
]


def described(kind, nodes, seed, params):
    edges = sorted(tuple(sorted(edge)) for edge in MAKERS[kind](nodes, seed, **params).edges())
    lines = "\n".join(f"{a} {b}" for a, b in edges)
    digest = hashlib.sha256(lines.encode()).hexdigest()
    return {"kind": kind, "nodes": nodes, "seed": str(seed), **params, "edges": len(edges), "sha256": digest}


with open(f"fixtures/topology/random-digests-networkx-{nx.__version__}.json", "w") as file:
    graphs = ",\n    ".join(json.dumps(described(*case)) for case in CASES)
    file.write(f'{{\n  "digest": "of sorted lines \'a b\', a < b",\n  "graphs": [\n    {graphs}\n  ]\n}}\n')
