"""Writes graphs with NetworkX in many formats into a folder, and what NetworkX reads of them as JSON on stdout."""

import gzip
import json
import os
import sys

import networkx as nx

folder = sys.argv[1]
rows = []


def labelled(kind):
    graph = kind()
    graph.add_node("a", host_bandwidth_up="10 Mbit", host_bandwidth_down="1 Gbit")
    graph.add_node("b b", colour="red")
    graph.add_node("é")
    graph.add_node("alone")
    graph.add_edge("a", "b b", latency="20 ms", packet_loss=0.01)
    graph.add_edge("b b", "é", latency="30 ms", bandwidth="50 Mbit", weight=2.5)
    graph.add_edge("é", "é", latency="1 ms")
    return graph


def both_ways():
    graph = labelled(nx.DiGraph)
    graph.add_edge("b b", "a", latency="25 ms")
    return graph


def multi(kind):
    graph = labelled(kind)
    graph.add_edge("a", "b b", latency="99 ms")
    return graph


def numbered(kind=nx.Graph):
    graph = nx.barabasi_albert_graph(30, 3, seed=1)
    for a, b in graph.edges:
        graph[a][b].update(latency=f"{a + b} ms", weight=(a + b) / 8)
    return kind(graph)


def read_back(name, path, graph):
    """What NetworkX itself reads; nodes of GML are called by their id, as here."""
    delimiter = "," if ".csv" in name else "\t" if ".tsv" in name else None
    if ".gml" in name:
        return nx.read_gml(path, label="id")
    if ".graphml" in name:
        return nx.read_graphml(path)
    if ".json" in name:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            return nx.node_link_graph(json.load(file), edges="links" if ".links" in name else "edges")
    if "weighted" in name:
        return nx.read_weighted_edgelist(path, delimiter=delimiter)
    return nx.read_edgelist(path, delimiter=delimiter, create_using=type(graph))


def row(name, graph, write, refused=None):
    path = os.path.join(folder, name)
    write(graph, path)
    read = graph if refused else read_back(name, path, graph)
    rows.append({
        "name": name,
        "refused": refused,
        "directed": read.is_directed(),
        "nodes": [[str(node), data] for node, data in read.nodes(data=True)],
        "edges": [[str(a), str(b), data] for a, b, data in read.edges(data=True)],
    })


def dump(data):
    def write(graph, path):
        with (gzip.open if path.endswith(".gz") else open)(path, "wt", encoding="utf-8") as file:
            json.dump(data(graph), file)
    return write


def tree(_, path):
    dump(lambda graph: nx.tree_data(graph, 0))(nx.balanced_tree(2, 2, create_using=nx.DiGraph), path)


graphs = {
    "undirected": labelled(nx.Graph),
    "directed": both_ways(),
    "multi": multi(nx.MultiGraph),
    "multi-directed": multi(nx.MultiDiGraph),
    "numbered": numbered(),
}
for shape, graph in graphs.items():
    row(f"{shape}.gml", graph, nx.write_gml)
    row(f"{shape}.graphml", graph, nx.write_graphml_xml)
    row(f"{shape}.links.json", graph, dump(lambda graph: nx.node_link_data(graph, edges="links")))
row("gz.gml.gz", graphs["directed"], nx.write_gml)
row("gz.graphml.gz", graphs["undirected"], nx.write_graphml_xml)
row("gz.edges.json.gz", graphs["directed"], dump(lambda graph: nx.node_link_data(graph, edges="edges")))

plain = graphs["numbered"]
bare = nx.Graph(plain.edges)
weighted = nx.Graph()
weighted.add_weighted_edges_from((a, b, data["weight"]) for a, b, data in plain.edges(data=True))
row("edges.txt", plain, nx.write_edgelist)
row("edges.txt.gz", plain, nx.write_edgelist)
row("edges-bare.txt", bare, lambda graph, path: nx.write_edgelist(graph, path, data=False))
row("edges.csv", plain, lambda graph, path: nx.write_edgelist(graph, path, delimiter=","))
row("edges-bare.csv", bare, lambda graph, path: nx.write_edgelist(graph, path, delimiter=",", data=False))
row("edges-bare.tsv", bare, lambda graph, path: nx.write_edgelist(graph, path, delimiter="\t", data=False))
row("weighted.txt", weighted, nx.write_weighted_edgelist)
row("weighted.csv", weighted, lambda graph, path: nx.write_weighted_edgelist(graph, path, delimiter=","))
row("directed.txt", numbered(nx.DiGraph), nx.write_edgelist)

row("adjacency.txt", plain, nx.write_adjlist, "adjacency list")
row("multiline.txt", plain, nx.write_multiline_adjlist, "multiline adjacency list")
row("graph.gexf", plain, nx.write_gexf, "GEXF")
row("graph.net", graphs["undirected"], nx.write_pajek, "Pajek")
row("graph.g6", bare, nx.write_graph6, "graph6")
row("bare.g6", bare, lambda graph, path: nx.write_graph6(graph, path, header=False), "graph6")
row("graph.s6", bare, nx.write_sparse6, "sparse6")
row("adjacency.json", plain, dump(nx.adjacency_data), "adjacency data")
row("tree.json", bare, tree, "tree data")
row("cytoscape.json", plain, dump(nx.cytoscape_data), "Cytoscape")

json.dump({"version": nx.__version__, "rows": rows}, sys.stdout)
