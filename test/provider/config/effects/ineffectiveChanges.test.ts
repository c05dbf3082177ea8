import { ineffectiveChanges } from "../../../../provider/config/effects/ineffectiveChanges";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { machineConfigurationHandler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../resources/samples";

type Options = Partial<Parameters<typeof machineConfigurationHandler.check>[1]>;

async function outline(options: Options): Promise<ConfigDocument> {
  const given = { ...(await machineConfigurationInputs()), ...options };
  const { inputs, failures } = await machineConfigurationHandler.check(undefined, given);
  expect(failures).toEqual([]);
  return inputs.redactedConfiguration as ConfigDocument;
}

async function pathsOf(before: Options, after: Options): Promise<readonly string[]> {
  const changes = ineffectiveChanges(await outline(before), await outline(after));
  return changes.map(({ code, path }) => `${code} ${path}`);
}

const worker = { machineType: "worker" as const };
const manifest = (contents: string) => ({ inlineManifests: [{ name: "settings", contents }] });
const configMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";

describe("of a control plane machine", () => {
  it.each<[string, Options, Options, readonly string[]]>([
    ["a label", {}, { nodeLabels: { tier: "a" } }, []],
    ["a taint", {}, { nodeTaints: { dedicated: "db:NoSchedule" } }, []],
    [
      "Talos",
      { talosVersion: "v1.12.0" },
      { talosVersion: "v1.12.1" },
      ["notUpgraded machine.install.image"],
    ],
    [
      "Kubernetes",
      { kubernetesVersion: "1.34.0" },
      { kubernetesVersion: "1.35.0" },
      ["notUpgraded cluster.proxy.image"],
    ],
    [
      "Kubernetes without kube-proxy",
      { kubernetesVersion: "1.34.0", kubeProxy: false },
      { kubernetesVersion: "1.35.0", kubeProxy: false },
      [],
    ],
    ["no kube-proxy", {}, { kubeProxy: false }, ["notTaken cluster.proxy.disabled"]],
    ["kube-proxy after all", { kubeProxy: false }, {}, []],
    [
      "flags of kube-proxy",
      {},
      { patches: [{ cluster: { proxy: { extraArgs: { v: "4" } } } }] },
      ["notTaken cluster.proxy"],
    ],
    [
      "CoreDNS",
      {},
      { patches: [{ cluster: { coreDNS: { disabled: true } } }] },
      ["notTaken cluster.coreDNS"],
    ],
    ["the pod network", {}, { cni: { name: "none" } }, ["notTaken cluster.network.cni"]],
    ["a manifest that is new", {}, manifest(configMap), []],
    [
      "a manifest that is another",
      manifest(configMap),
      manifest(configMap.replace("a", "b")),
      ["notTaken cluster.inlineManifests.settings"],
    ],
    [
      "a manifest that goes",
      manifest(configMap),
      {},
      ["notTaken cluster.inlineManifests.settings"],
    ],
    [
      "another version of a manifest",
      { extraManifests: ["https://example.com/v1.yaml"] },
      { extraManifests: ["https://example.com/v2.yaml", "https://example.com/new.yaml"] },
      ["notTaken cluster.extraManifests"],
    ],
  ])("%s", async (_, before, after, paths) => {
    expect(await pathsOf(before, after)).toEqual(paths);
  });
});

describe("of a worker", () => {
  it("taints stay, however they change", async () => {
    const tainted = { ...worker, nodeTaints: { dedicated: "db:NoSchedule" } };
    const path = "notTaken machine.kubelet.extraConfig.registerWithTaints";
    expect(await pathsOf(worker, tainted)).toEqual([path]);
    expect(await pathsOf(tainted, worker)).toEqual([path]);
    expect(await pathsOf(tainted, { ...tainted, nodeLabels: { tier: "a" } })).toEqual([]);
  });

  it("taints that only a control plane may change are reported for a new machine, too", async () => {
    const patched = { ...worker, patches: [{ machine: { nodeTaints: { a: "b:NoSchedule" } } }] };
    expect(await pathsOf(worker, patched)).toEqual(["notTaken machine.nodeTaints"]);
    expect(await pathsOf(patched, worker)).toEqual([]);
    const [change] = ineffectiveChanges(undefined, await outline(patched));
    expect(change?.reason).toContain("use the option nodeTaints instead");
    expect(ineffectiveChanges(undefined, await outline(worker))).toEqual([]);
  });

  it("the cluster's manifests in its configuration have no effect", async () => {
    const cni = { ...worker, cni: { name: "none" as const } };
    expect(await pathsOf(worker, cni)).toEqual([]);
  });
});

describe("settings of the installation on a machine that boots an image", () => {
  it.each<[string, object, string]>([
    ["kernel arguments", { extraKernelArgs: ["a=b"] }, "set the option extraKernelArgs"],
    ["extensions", { extensions: [{ image: "a:b" }] }, "set the option systemExtensions"],
    ["another disk", { disk: "/dev/nvme1n1" }, "leave it out"],
    ["a selected disk", { diskSelector: { type: "nvme" } }, "leave it out"],
    ["another boot loader", { grubUseUKICmdline: false }, "leave it out"],
  ])("are named with what to do: %s", async (_, install, instead) => {
    const patched = { patches: [{ machine: { install } }] as never };
    const given = { ...(await machineConfigurationInputs()), ...patched };
    const { warnings } = await machineConfigurationHandler.check(undefined, given);
    const [path] = Object.keys(install).map((key) => `machine.install.${key}: `);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toContain(path);
    expect(warnings?.[0]).toContain(instead);
    const [before, after] = [await outline({}), await outline(patched)];
    for (const changes of [
      ineffectiveChanges(before, after),
      ineffectiveChanges(undefined, after),
    ]) {
      expect(changes.map(({ reason }) => reason)).toEqual(warnings);
    }
    expect(ineffectiveChanges(after, after)).toEqual([]);
  });

  it("are none without them, and on metal", async () => {
    const given = await machineConfigurationInputs();
    expect((await machineConfigurationHandler.check(undefined, given)).warnings).toEqual([]);
    const metal: Options = { platform: "metal", installDisk: "/dev/nvme1n1" };
    const { warnings } = await machineConfigurationHandler.check(undefined, { ...given, ...metal });
    expect(warnings).toEqual([]);
  });

  it("are judged by Talos' rules on metal", async () => {
    const patches = [{ machine: { install: { extraKernelArgs: ["security=apparmor"] } } }];
    const given = { ...(await machineConfigurationInputs()), platform: "metal" as const, patches };
    const { failures } = await machineConfigurationHandler.check(undefined, given);
    expect(failures.map(({ property }) => property)).toEqual(["patches"]);
    expect(failures[0]?.reason).toContain("can't be set together with grubUseUKICmdline");
  });
});

it("names the image that upgrades Talos", async () => {
  const [before, after] = [await outline({}), await outline({ talosVersion: "v1.12.2" })];
  const [change] = ineffectiveChanges(before, after);
  expect(change?.reason).toMatch(
    /`talosctl upgrade --image factory\.talos\.dev\/aws-installer\/[0-9a-f]{64}:v1\.12\.2`/,
  );
});
