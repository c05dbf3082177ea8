import { hashDocuments } from "../../../../provider/config/hash";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { differencesBetween, patchesOf } from "../../../../provider/config/patches/patchBetween";
import { normalizeDocument } from "../../../../provider/config/schema/normalize";

const normal = (documents: readonly ConfigDocument[]) =>
  documents.map((document) => normalizeDocument(document));

const former: ConfigDocument[] = [
  {
    version: "v1alpha1",
    machine: {
      type: "worker",
      certSANs: ["a.example.com", "b.example.com"],
      install: { disk: "/dev/sda", image: "ghcr.io/siderolabs/installer:v1.12.1", wipe: true },
      nodeLabels: { pool: "apps" },
      network: { interfaces: [{ interface: "eth0", dhcp: true }] },
    },
    cluster: { clusterName: "demo" },
  },
  { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" },
];

describe("patches between two configurations", () => {
  it.each<readonly [string, ConfigDocument[]]>([
    ["nothing", former],
    ["a scalar", edited((machine) => ({ ...machine, install: { disk: "/dev/xvda" } }))],
    ["a shorter list", edited((machine) => ({ ...machine, certSANs: ["b.example.com"] }))],
    ["no list", edited(({ certSANs, ...machine }) => machine)],
    [
      "other items of a named list",
      edited((machine) => ({ ...machine, network: { interfaces: [{ interface: "eth1" }] } })),
    ],
    [
      "a new mapping",
      edited((machine) => ({ ...machine, sysctls: { "net.core.somaxconn": "1" } })),
    ],
    ["no label", edited(({ nodeLabels, ...machine }) => machine)],
    ["a document less", former.slice(0, 1)],
    [
      "a document more",
      [...former, { apiVersion: "v1alpha1", kind: "KmsgLogConfig", name: "r", url: "tcp://x:1" }],
    ],
  ])("make %s of the former one", (_name, latter) => {
    const differences = differencesBetween(normal(former), normal(latter));
    const made = patchesOf(differences).reduce<readonly ConfigDocument[]>(
      (documents, patch) => applyPatches(documents, patch.length === 1 ? patch : [asText(patch)]),
      former,
    );
    expect(hashDocuments(made)).toBe(hashDocuments(latter));
  });

  it("name each place once, lists as one", () => {
    const latter = edited((machine) => ({ ...machine, certSANs: [], type: "controlplane" }));
    const places = differencesBetween(normal(former), normal(latter)).map(({ path }) =>
      path.join("."),
    );
    expect(places).toEqual(["machine.certSANs", "machine.type"]);
  });
});

function edited(edit: (machine: ConfigDocument) => ConfigDocument): ConfigDocument[] {
  const [config = {}, ...others] = former;
  return [{ ...config, machine: edit(config.machine as ConfigDocument) }, ...others];
}

function asText(documents: readonly ConfigDocument[]): string {
  return documents.map((document) => JSON.stringify(document)).join("\n---\n");
}
