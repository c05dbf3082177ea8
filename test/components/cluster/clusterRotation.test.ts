import { TalosCluster } from "../../../components/cluster/talosCluster";
import { parseConfig } from "../../../emulator/talos/config/loadConfig";
import type { Patch, Rotation, RotationStage } from "../../../provider";
import { applyPatches } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { rotatedMachine, twoGenerations } from "../../provider/pki/rotation/rotatedMachines";
import { build } from "../mockedGraph";
import { make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

const pool = { workerPools: { apps: { machineCount: 1 } } };
const made = async (rotation?: Rotation) =>
  (await make({ ...pool, ...(rotation && { rotation }) })).graph;

describe("a cluster whose CAs are rotated", () => {
  it("creates nothing without a rotation", async () => {
    const graph = await made();
    expect(graph.ofType(talos("RotatedAuthority"))).toEqual([]);
    expect(graph.ofType(talos("RotationGate"))).toEqual([]);
    for (const { inputs } of graph.resources) {
      expect(inputs).not.toHaveProperty("rotation");
      expect(inputs).not.toHaveProperty("acceptedAuthorities");
    }
  });

  it("creates the next generation, and passes it to its users", async () => {
    const rotation = {
      talosCa: { to: 2, stage: "accept" },
      kubernetesCa: { to: 2, stage: "accept" },
    } as const;
    const graph = await made(rotation);
    expect(graph.ofType(talos("RotatedAuthority")).map(({ name }) => name)).toEqual([
      "c-talos-ca-2",
      "c-kubernetes-ca-2",
    ]);
    for (const [kind, name] of [
      ["MachineSecrets", "c-secrets"],
      ["ClusterHealth", "c-health"],
    ] as const) {
      expect(graph.named(talos(kind), name).inputs.rotation).toEqual(rotation);
    }
    for (const name of ["c-control-plane", "c-apps"]) {
      const { acceptedAuthorities } = graph.named(talos("MachineConfiguration"), name).inputs;
      expect(acceptedAuthorities).toMatchObject({
        talosCa: [expect.anything()],
        kubernetesCa: [expect.anything()],
      });
    }
    for (const name of ["c-access", "c-client"]) {
      const { acceptedAuthorities } = graph.named(talos("ClientConfiguration"), name).inputs;
      expect(acceptedAuthorities).toHaveLength(1);
    }
    const gate = graph.named(talos("RotationGate"), "c-rotation").inputs;
    expect(gate.rotation).toEqual(rotation);
    const kubeconfig = graph.named(talos("ClusterKubeconfig"), "c-kubeconfig").inputs;
    expect(kubeconfig.rotation).toBe("kubernetesCa 2 accept");
    const member = graph.named(talos("EtcdMember"), "c-control-plane-1").inputs;
    expect(member.rotation).toBe("talosCa 2 accept");
  });

  it("drops the old Kubernetes CA first on workers", async () => {
    const graph = await made({ kubernetesCa: { to: 2, stage: "renew" } });
    const accepted = (name: string) =>
      graph.named(talos("MachineConfiguration"), name).inputs.acceptedAuthorities;
    expect(accepted("c-apps")).toBeUndefined();
    expect(accepted("c-control-plane")).toMatchObject({ kubernetesCa: [expect.anything()] });
  });

  it("keeps one generation at the end, and two when the next rotation begins", async () => {
    const names = async (rotation: Rotation) =>
      (await made(rotation)).ofType(talos("RotatedAuthority")).map(({ name }) => name);
    expect(await names({ talosCa: { to: 3, stage: "drop" } })).toEqual(["c-talos-ca-3"]);
    expect(await names({ talosCa: { to: 3, stage: "accept" } })).toEqual([
      "c-talos-ca-2",
      "c-talos-ca-3",
    ]);
  });

  it("gives only the control plane what only it accepts", async () => {
    const accept = { to: 2, stage: "accept" } as const;
    const graph = await made({
      etcdCa: accept,
      serviceAccountKey: accept,
      secretboxKey: accept,
      bootstrapToken: accept,
    });
    expect(graph.ofType(talos("RotatedSecret")).map(({ name }) => name)).toEqual([
      "c-service-account-key-2",
      "c-secretbox-key-2",
      "c-bootstrap-token-2",
    ]);
    const accepted = (name: string) =>
      graph.named(talos("MachineConfiguration"), name).inputs.acceptedAuthorities;
    expect(accepted("c-apps")).toBeUndefined();
    expect(accepted("c-control-plane")).toEqual({
      etcdCa: [expect.anything()],
      serviceAccountKey: [expect.anything(), expect.anything()],
      secretboxKey: [expect.anything(), expect.anything()],
      bootstrapToken: [expect.anything()],
    });
  });

  it.each([
    ["v1.12", "v1.12.1"],
    ["v1.14", "v1.14.1"],
  ])(
    "makes the first control plane machine accept one trustd token, and the others the other, in contract %s",
    async (versionContract, talosVersion) => {
      const generations = await twoGenerations();
      const release = { talosVersion, versionContract, kubernetesVersion: "1.35.0" };
      const patches = async (stage: RotationStage) => {
        const rotation = { trustdToken: { to: 2, stage } };
        const { graph } = await make({ ...pool, ...release, rotation });
        return graph
          .ofType(talos("ConfigurationApply"))
          .filter(({ name }) => name.includes("control-plane"))
          .map(({ inputs }) => (inputs.patches ?? []) as readonly Patch[]);
      };
      for (const stage of ["accept", "issue"] as const) {
        const [first = [], ...others] = await patches(stage);
        expect(first).toContainEqual({ machine: { token: "abcdef.2" } });
        expect(JSON.stringify(others)).not.toContain("token");
        const rotation = { trustdToken: { to: 2, stage } };
        const role = rotatedMachine(generations, rotation, "controlplane", release);
        const patched = applyPatches(role, first, { schema: talosSchema(talosVersion) });
        expect(parseConfig(encodeDocuments(patched)).facts?.token).toBe("abcdef.2");
      }
      expect(JSON.stringify(await patches("drop"))).not.toContain("token");
    },
  );

  it("lets all machines change their discovery identity, to that of the stage", async () => {
    const acceptedIn = async (stage: RotationStage | undefined) => {
      const graph = await made(stage && { discoveryIdentity: { to: 2, stage } });
      return graph
        .ofType(talos("ConfigurationApply"))
        .map(
          ({ inputs }) => inputs.acceptedChanges as Readonly<Record<string, string>> | undefined,
        );
    };
    const none = await acceptedIn(undefined);
    expect([...new Set(none)]).toEqual([undefined]);
    const [first] = await acceptedIn("accept");
    const [next, ...others] = await acceptedIn("issue");
    const [last] = await acceptedIn("drop");
    expect(others).toHaveLength(none.length - 1);
    expect([...others, last]).toEqual(Array(none.length).fill(next));
    for (const place of ["cluster.id", "cluster.secret"]) {
      expect(first?.[place]).not.toBe(next?.[place]);
    }
    expect(next?.["cluster.secret"]).toMatch(/^«secret sha256:[0-9a-f]{8}»$/);
  });

  it("rejects a rotation of the trustd token with a single control plane machine", async () => {
    const cluster = { ...standardCluster, controlPlane: { machineCount: 1 } } as const;
    const rotation = { trustdToken: { to: 2, stage: "accept" } } as const;
    await expect(build(() => new TalosCluster("c", { ...cluster, rotation }))).rejects.toThrow(
      "the trustd token can't be rotated with 1 control plane machine",
    );
  });

  it.each(["v1.12.1", "v1.14.1"])(
    "rotates the aggregator's CA with Talos %s",
    async (talosVersion) => {
      const rotation = { aggregatorCa: { to: 2, stage: "accept" } } as const;
      const { graph } = await make({ talosVersion, rotation });
      expect(graph.ofType(talos("RotatedAuthority")).map(({ name }) => name)).toEqual([
        "c-aggregator-ca-2",
      ]);
      const { acceptedAuthorities } = graph.named(
        talos("MachineConfiguration"),
        "c-control-plane",
      ).inputs;
      expect(acceptedAuthorities).toEqual({ aggregatorCa: [expect.anything()] });
    },
  );

  it("rejects invalid rotations, with all other problems", async () => {
    const rotation = { etcdKey: { to: 2, stage: "accept" } } as unknown as Rotation;
    await expect(
      build(() => new TalosCluster("c", { ...standardCluster, rotation })),
    ).rejects.toThrow(/rotation\.etcdKey: there is no such argument: known are talosCa, /);
  });
});
