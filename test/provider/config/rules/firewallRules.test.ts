import type { Patch } from "../../../../provider/config/patches/patch";
import {
  firewallProblems,
  firewallWarnings,
} from "../../../../provider/config/rules/firewallRules";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { configurationApplyHandler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { machineConfigurationHandler } from "../../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../resources/samples";

type Options = Partial<Parameters<typeof machineConfigurationHandler.check>[1]>;

const block = firewall("block");
const anywhere = ["0.0.0.0/0"];

function firewall(ingress: "accept" | "block"): string {
  return `{apiVersion: v1alpha1, kind: NetworkDefaultActionConfig, ingress: ${ingress}}`;
}

/** A rule: ports in Talos' notation, separated by commas, and a protocol. */
function rule(ports: string, subnets: readonly string[] = anywhere, except?: string): string {
  const [list = "", protocol = "tcp"] = ports.split("/");
  const ingress = subnets.map((subnet) => ({ subnet, ...(except !== undefined && { except }) }));
  const name = ports.replace(/\W/g, "-");
  return `{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: ${name}, portSelector: {ports: [${list}], protocol: ${protocol}}, ingress: ${JSON.stringify(ingress)}}`;
}

/** What is said of a role with these patches. */
async function judged(patches: string[], options: Options = {}) {
  const { failures, warnings = [] } = await machineConfigurationHandler.check(undefined, {
    ...(await machineConfigurationInputs()),
    patches,
    controlPlaneCount: 3,
    ...options,
  });
  return { told: failures.map(({ property, reason }) => `${property}: ${reason}`), warnings };
}

/** The ports that are told to be closed, in the order of the messages. */
function portsOf(messages: readonly string[]): readonly string[] {
  return messages.flatMap((message) => /[\d-]+\/(?:tcp|udp)/.exec(message)?.[0] ?? []);
}

const opened = ["50000-50001", "6443", "10250", "2379-2380", "4789/udp"].map((each) => rule(each));
const worker: Options = { machineType: "worker" };
const kubeSpan = "machine: {network: {kubespan: {enabled: true}}}";
const all = ["50000/tcp", "6443/tcp", "10250/tcp", "50001/tcp"];
const etcd = "2379-2380/tcp";
const vxlan = "4789/udp";

/** Patches, what is refused, and what is warned of. */
const cases: readonly (readonly [
  what: string,
  patches: string[],
  refused: readonly string[],
  warned: readonly string[],
  options?: Options,
])[] = [
  ["no firewall", [], [], []],
  ["a firewall that accepts", [firewall("accept")], [], []],
  ["every port of a control plane", [block, ...opened], [], []],
  ["one range for all", [block, rule("1-65535"), rule("1-65535/udp")], [], []],
  ["no rule on a control plane", [block], all, []],
  ["no rule on a worker", [block], ["50000/tcp", "10250/tcp"], [], worker],
  [
    "what a worker needs",
    [block, rule("50000, 10250"), rule("4789/udp")],
    [],
    [],
    { ...worker, controlPlaneCount: undefined },
  ],
  [
    "the wrong protocol",
    [block, ...opened.slice(1), rule("50000-50001/udp")],
    [all[0] ?? "", all[3] ?? ""],
    [],
  ],
  [
    "etcd's clients only",
    [block, ...opened.filter((each) => !each.includes("2379")), rule("2379")],
    [etcd],
    [],
  ],
  ["no etcd", [block, ...opened.filter((each) => !each.includes("2379"))], [etcd], []],
  [
    "no etcd, with a single control plane",
    [block, ...opened.filter((each) => !each.includes("2379"))],
    [],
    [],
    { controlPlaneCount: 1 },
  ],
  [
    "no etcd, where the number of control planes isn't known",
    [block, ...opened.filter((each) => !each.includes("2379"))],
    [],
    [etcd],
    { controlPlaneCount: undefined },
  ],
  ["no pod network", [block, ...opened.slice(0, -1)], [], [vxlan]],
  [
    "no port for a pod network of one's own",
    [block, ...opened.slice(0, -1), "cluster: {network: {cni: {name: none}}}"],
    [],
    ["8472/udp"],
  ],
  [
    "BGP of a pod network of one's own",
    [block, ...opened.slice(0, -1), rule("179"), "cluster: {network: {cni: {name: none}}}"],
    [],
    [],
  ],
  ["KubeSpan, which carries what is between machines", [block, kubeSpan], all.slice(0, 2), []],
  ["KubeSpan without its port", [block, kubeSpan, rule("50000, 6443")], [], ["51820/udp"]],
  ["KubeSpan with its port", [block, kubeSpan, rule("50000, 6443"), rule("51820/udp")], [], []],
  [
    "another port of the API server",
    [block, ...opened, "cluster: {controlPlane: {localAPIServerPort: 443}}"],
    ["443/tcp"],
    [],
  ],
  [
    "networks of the machine itself",
    [block, ...opened.slice(1), rule("50000-50001", ["127.0.0.0/8", "::1/128"])],
    [all[0] ?? "", all[3] ?? ""],
    [],
  ],
  [
    "no network",
    [block, ...opened.slice(1), rule("50000-50001", [])],
    [all[0] ?? "", all[3] ?? ""],
    [],
  ],
  [
    "a network that is excepted",
    [block, ...opened.slice(0, 1), ...opened.slice(2), rule("6443", ["10.1.0.0/16"], "10.0.0.0/8")],
    ["6443/tcp"],
    [],
  ],
  [
    "an exception within a network",
    [block, ...opened.slice(0, 1), ...opened.slice(2), rule("6443", ["10.0.0.0/8"], "10.1.0.0/16")],
    [],
    [],
  ],
  [
    "a rule that closes a port, where others are open",
    [rule("50000", ["127.0.0.0/8"])],
    ["50000/tcp"],
    [],
  ],
  ["a rule for a port, where others are open", [rule("50000", ["10.0.0.0/8"])], [], []],
];

/** A release that is read and not generated yet. */
it("is judged by the documents of v1.14", () => {
  const documents = decodeDocuments(
    [
      "machine: {type: controlplane}\ncluster: {}",
      block,
      ...opened,
      "{apiVersion: v1alpha1, kind: KubeFlannelCNIConfig, backendType: vxlan, backendPort: 8472}",
      "{apiVersion: v1alpha1, kind: KubeAPIServerConfig, apiPort: 7443}",
    ].join("\n---\n"),
  );
  const refused = firewallProblems(documents, 14).map(({ message }) => message);
  expect(portsOf(refused)).toEqual(["7443/tcp"]);
  expect(portsOf(firewallWarnings(documents, 14, 3))).toEqual(["8472/udp"]);
});

describe("a machine's own firewall", () => {
  const named = cases.map(([what, patches, refused, warned, options = {}]) => {
    return { what, patches, refused, warned, options };
  });
  it.each(named)("with $what", async ({ patches, refused, warned, options }) => {
    const { told, warnings } = await judged(patches, options);
    expect(portsOf(told)).toEqual(refused);
    expect(portsOf(warnings)).toEqual(warned);
  });

  it("is refused with the rule to add, or the rule that lets nobody in", async () => {
    const rest = opened.slice(1);
    expect((await judged([block, ...rest, rule("50001")])).told).toEqual([
      'patches: NetworkDefaultActionConfig: ingress: "block" closes 50000/tcp (the Talos API, by which this package and talosctl reach the machine): add the document {apiVersion: v1alpha1, kind: NetworkRuleConfig, name: apid-ingress, portSelector: {ports: [50000], protocol: tcp}, ingress: [{subnet: 10.0.0.0/8}]} with the networks that may come in',
    ]);
    const closing = rule("50000", ["127.0.0.0/8"]);
    expect((await judged([block, ...rest, rule("50001"), closing])).told).toEqual([
      "patches: NetworkRuleConfig/50000: ingress: lets nobody in but the machine itself, so 50000/tcp is closed (the Talos API, by which this package and talosctl reach the machine): name the networks that may come in, like {subnet: 10.0.0.0/8}",
    ]);
  });

  it("is judged with a single machine's patches too", async () => {
    const role = await machineConfigurationInputs();
    const patches: Patch[] = [block, ...opened.filter((each) => !each.includes("2379"))];
    const { failures } = await machineConfigurationHandler.check(undefined, {
      ...role,
      machinePatches: { "2": patches },
      controlPlaneCount: 3,
    });
    expect(failures).toEqual([
      {
        property: 'machinePatches["2"]',
        reason: expect.stringContaining(`"block" closes ${etcd}`) as unknown,
      },
    ]);
    const { inputs } = await machineConfigurationHandler.check(undefined, role);
    const applied = await configurationApplyHandler.check(undefined, {
      machineId: "i-1",
      node: "127.0.0.1",
      endpoint: "127.0.0.1",
      mode: "auto",
      credentials: { caCertificate: "", certificate: "", key: "" } as never,
      machineConfiguration: inputs.machineConfiguration,
      patches: [block],
      timeoutSeconds: 20,
      redactedConfiguration: "",
    });
    expect(portsOf(applied.failures.map(({ reason }) => reason))).toEqual(all);
  });
});
