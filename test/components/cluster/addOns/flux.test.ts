import * as pulumi from "@pulumi/pulumi";
import { make, talos } from "../clusters";

const url = "ssh://git@github.com/example/fleet";
const path = "clusters/production";
const knownHosts = "github.com ssh-ed25519 AAAA";
const secret = "correct-horse";
const privateKey = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`;
const ageKey = `AGE-SECRET-KEY-1${"QP".repeat(29)}`;
const planted = [privateKey, ageKey].flatMap((text) => [
  text.trim().split("\n").at(-2) ?? text,
  Buffer.from(text).toString("base64").slice(0, 40),
]);

type Made = Awaited<ReturnType<typeof make>>["graph"];

const manifestsIn = (graph: Made) =>
  graph.named(talos("KubernetesObjects"), "c-objects").inputs.manifests as readonly {
    readonly name: string;
    readonly contents: string;
  }[];
const configurationOf = (graph: Made) =>
  graph.named(talos("MachineConfiguration"), "c-control-plane").inputs;

describe("a cluster with Flux", () => {
  it.each([
    ["marked by the program", pulumi.secret],
    ["that the program forgot to mark", <Value>(value: Value) => value],
  ])("has its keys only in secret inputs of KubernetesObjects, %s", async (_, mark) => {
    const flux = {
      url,
      path,
      key: { privateKey: mark(privateKey), knownHosts },
      decryption: { ageKey: mark(ageKey) },
    };
    const { graph } = await make({ addOns: { flux } });
    const holders = graph.resources.filter(({ inputs }) =>
      planted.some((text) => JSON.stringify(inputs).includes(text)),
    );
    expect(holders.map(({ name }) => name)).toEqual(["c-objects"]);
    expect(holders[0]?.secretInputs).toContain("manifests");
  });

  it("fetches Flux' own manifest, and applies the rest after the bootstrap", async () => {
    const { graph } = await make({
      addOns: { flux: { url: "https://github.com/example/fleet", path } },
      kubernetesVersion: "v1.35.0",
    });
    expect(configurationOf(graph).extraManifests).toEqual([
      "https://github.com/fluxcd/flux2/releases/download/v2.10.0/install.yaml",
    ]);
    expect(manifestsIn(graph).map(({ name }) => name)).toEqual(["flux-after-bootstrap"]);
  });

  it("applies a manifest of the user's after the bootstrap, and fetches none", async () => {
    const manifest = pulumi.output(
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: flux-system}",
    );
    const { graph } = await make({
      addOns: { flux: { url: "https://git.example.com/fleet", path, manifest } },
    });
    expect(configurationOf(graph).extraManifests ?? []).toEqual([]);
    expect(JSON.stringify(configurationOf(graph).inlineManifests ?? [])).not.toContain("flux");
    expect(manifestsIn(graph).map(({ name }) => name)).toEqual(["flux", "flux-after-bootstrap"]);
  });
});
