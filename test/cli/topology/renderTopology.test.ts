import { layOut } from "../../../cli/topology/layout";
import { readTopology } from "../../../cli/topology/readTopology";
import { renderMermaid } from "../../../cli/topology/renderMermaid";
import { renderSvg } from "../../../cli/topology/renderSvg";
import type { Topology } from "../../../cli/topology/topology";
import { sampleResources } from "./sampleResources";

const [topology] = readTopology(sampleResources) as [Topology];

describe("the picture of a topology", () => {
  it("shows every machine, group, load balancer and arrow within its bounds", () => {
    const svg = renderSvg(topology, "test <1>");
    const shown = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
    expect(shown).toEqual(
      expect.arrayContaining([
        "test &lt;1&gt;",
        "c-control-plane-1",
        "c-control-plane-2",
        "c-web-1",
        "c-spot",
        "c-api",
        "192.0.2.0/24",
        "us-east-1a",
        "us-east-1b",
        "0 to 4 machines",
        "workers → load balancer",
        "tcp 10250 kubelet",
        "Allowed outbound",
        "control plane → everyone (0.0.0.0/0)",
        "everything",
        "2 × t3.large",
      ]),
    );
    expect(svg).toContain(
      "2 zones · Talos v1.14.1 · Talos v1.13.0 · Kubernetes v1.36.0 · Kubernetes v1.35.0 · https://k8s.c.example.com:6443",
    );
    const size = /width="(\d+)" height="(\d+)"/.exec(svg);
    for (const [, x, y] of svg.matchAll(/ x="(-?[\d.]+)" y="(-?[\d.]+)"/g)) {
      expect(Number(x)).toBeLessThan(Number(size?.[1]));
      expect(Number(y)).toBeLessThan(Number(size?.[2]));
      expect(Math.min(Number(x), Number(y))).toBeGreaterThan(0);
    }
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("gives each arrow its own lane, and each end its own place", () => {
    const { arrows } = layOut(topology);
    expect(arrows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(arrows.map(({ laneX }) => laneX)).size).toBe(arrows.length);
    const ends = arrows.flatMap(({ fromY, toY }) => [fromY, toY]);
    expect(new Set(ends).size).toBe(ends.length);
  });

  it("follows the reader's colour scheme, or a given one", () => {
    expect(renderSvg(topology, "t")).toContain("@media (prefers-color-scheme: dark)");
    expect(renderSvg(topology, "t", "dark")).toContain(".background{fill:#0d1117}");
    expect(renderSvg(topology, "t", "light")).not.toContain("#0d1117");
  });

  it("is also a Mermaid flowchart", () => {
    const lines = renderMermaid(topology).split("\n");
    expect(lines[0]).toBe("flowchart TB");
    expect(lines).toContain('  party0(["192.0.2.0/24"])');
    expect(lines).toContain('  party0 -->|"tcp 50000"| party2');
    expect(lines).toContain(
      '  subgraph network["network 10.0.0.0/16<br/>https://k8s.c.example.com:6443<br/>Talos v1.14.1, Talos v1.13.0, Kubernetes v1.36.0, Kubernetes v1.35.0"]',
    );
    expect(lines).toContain('  out0(["everyone (0.0.0.0/0)"])');
    expect(lines).toContain('  party2 -.->|"everything"| out0');
    expect(lines).toContain(
      '      party2g0m0["c-control-plane-1<br/>us-east-1a, public<br/>10.0.0.17"]',
    );
    // Whatever the order of the state is.
    const reversed = { ...topology, flows: [...topology.flows].reverse() };
    expect(renderMermaid(reversed)).toBe(renderMermaid(topology));
    expect(lines.filter((line) => /^\s*subgraph /.test(line))).toHaveLength(4);
    expect(lines.filter((line) => /^\s*end$/.test(line))).toHaveLength(4);
  });
});
