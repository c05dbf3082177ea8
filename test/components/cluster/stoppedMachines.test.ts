import type { TalosClusterArgs } from "../../../components";
import { ControlPlane, TalosCluster, WorkerPool } from "../../../components";
import { MACHINE_ADDRESSES } from "../../../provider/engine/machineAddresses";
import { talosKind } from "../../../provider/engine/talosTypes";
import { build, type Graph, type Registered, valueOf } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

const ALL = ["c-control-plane-1", "c-control-plane-2", "c-control-plane-3", "c-apps-1", "c-apps-2"];
const RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const workers = { workerPools: { apps: { machineCount: 2 } } };

const choices: readonly (readonly [string, Partial<TalosClusterArgs>])[] = [
  ["public", { exposure: "public" }],
  ["direct", { exposure: "direct" }],
  ["both", { exposure: "both" }],
  ["internal", { exposure: "internal" }],
  ["public, with fixed addresses", { controlPlane: { fixedAddresses: true } }],
  ["public, with addresses that are no longer fixed", { controlPlane: { fixedAddresses: false } }],
  [
    "direct, with a rotation",
    { exposure: "direct", rotation: { talosCa: { to: 2, stage: "accept" } } },
  ],
];

/** Texts in inputs that contain nothing where an address belongs, with their places. */
function holes({ resources }: Graph): string[] {
  return resources.flatMap((resource) =>
    textsIn(resource.inputs, []).flatMap(([path, text]) =>
      isHole(resource, path, text) ? [`${resource.name}.${path.join(".")}`] : [],
    ),
  );
}

/** What an instance doesn't have is said, as an empty text. */
const SAID_TO_BE_NONE = ["iamInstanceProfile", "placementGroup"];

function isHole({ type, inputs }: Registered, path: readonly string[], text: string): boolean {
  const [name = ""] = path;
  const kind = talosKind(type);
  if (SAID_TO_BE_NONE.includes(name)) {
    return false;
  }
  if (kind !== undefined) {
    // The check of these keeps what is recorded.
    const keeps = MACHINE_ADDRESSES[kind].includes(name);
    return !keeps && text === "" && /address|controlPlanes|certSANs/i.test(path.join("."));
  }
  return type.startsWith("aws:") && inputs[name] !== undefined && (text === "" || text === "/32");
}

function textsIn(
  value: unknown,
  path: readonly string[],
): (readonly [readonly string[], string])[] {
  if (typeof value === "string") {
    return [[path, value]];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [];
}

describe("a cluster with stopped machines", () => {
  for (const [title, args] of choices) {
    it.each([[ALL.slice(0, 1)], [ALL.slice(1, 2)], [ALL.slice(3, 4)], [ALL]])(
      `leaves no hole for the addresses of %j: exposure ${title}`,
      async (stopped) => {
        const make = () => new TalosCluster("c", { ...standardCluster, ...workers, ...args });
        const { graph } = await build(make, { stopped });
        const usual = await build(make);
        expect(holes(graph)).toEqual(holes(usual.graph));
        expect(graph.identities()).toEqual(usual.graph.identities());
      },
    );
  }

  it("admits no stranger who gets the address of a stopped machine", async () => {
    const make = () => new TalosCluster("c", { ...standardCluster, ...workers });
    const { graph } = await build(make, { stopped: ["c-apps-1", "c-control-plane-2"] });
    const rangeOf = (name: string) => graph.named(RULE, `${name}-to-api`).inputs.cidrIpv4;
    expect(rangeOf("c-apps-1")).toBe("10.0.0.1/32");
    expect(rangeOf("c-control-plane-2")).toBe("10.0.0.2/32");
    expect(rangeOf("c-control-plane-1")).toBe("198.51.100.1/32");
  });

  it("reaches workers by the first control plane machine that is on", async () => {
    const make = () => new TalosCluster("c", { ...standardCluster, ...workers });
    const endpointOf = async (stopped: readonly string[]) => {
      const { graph } = await build(make, { stopped });
      return graph.named("pulumi-nodejs:dynamic/talos:ConfigurationApply", "c-apps-1").inputs
        .endpoint;
    };
    expect(await endpointOf([])).toBe("198.51.100.1");
    expect(await endpointOf(["c-control-plane-2"])).toBe("198.51.100.1");
    expect(await endpointOf(["c-control-plane-1"])).toBe("198.51.100.2");
    expect(await endpointOf(ALL.slice(0, 2))).toBe("198.51.100.3");
  });

  it("leads its name to the machines that are on, or else to private addresses", async () => {
    const make = () => new TalosCluster("c", { ...standardCluster, exposure: "direct" });
    const recordsOf = async (stopped: readonly string[]) =>
      (await build(make, { stopped })).graph.named("aws:route53/record:Record", "c-dns-alias")
        .inputs.records;
    expect(await recordsOf(ALL.slice(1, 2))).toEqual(["198.51.100.1", "198.51.100.3"]);
    expect(await recordsOf(ALL)).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.3"]);
  });
});

describe("components alone with a stopped machine", () => {
  it("leave no hole for its addresses", async () => {
    const credentials = { ca: "ca", crt: "crt", key: "key" };
    const common = {
      clusterName: "c",
      subnets: { a: { id: "subnet-a" } },
      imageId: "ami-1",
      securityGroupId: "sg-1",
      publicApiGroupId: "sg-2",
    };
    const { value, graph } = await build(
      () => ({
        pool: new WorkerPool("w", {
          ...common,
          machineConfiguration: "machine: {}\n",
          credentials,
          drain: { controlPlanes: ["192.0.2.1"] },
          machineCount: 2,
        }),
        control: new ControlPlane("p", {
          ...common,
          turns: { credentials, drain: {} },
          machineCount: 3,
        }),
      }),
      { stopped: ["w-1", "p-1"] },
    );
    expect(holes(graph)).toEqual([]);
    const first = value.control.machines["1"];
    expect(first && (await valueOf(first.isStopped))).toBe(true);
  });
});
