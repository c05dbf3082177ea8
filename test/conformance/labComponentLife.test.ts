import { join } from "node:path";
import { componentLife } from "../life/support/componentLife";
import type { MachinesOfLife } from "../life/support/machinesOfLife";
import { describeKubernetesLife } from "./kubernetesLife/describeLife";
import type { KubernetesLab } from "./support/kubernetesLab";
import { LAB } from "./support/labRelease";

const PROGRAM = join(__dirname, "support/labMachines.mts");

/** Public addresses that the embedded cloud gives first: a machine learns its own from EC2's metadata, which a lab lacks. */
const PUBLIC_ADDRESSES = [64, 65].flatMap((slice) =>
  Array.from({ length: 40 }, (_, index) => `127.${slice}.1.${index + 1}`),
);

/** The subnets of a VPC hold as many addresses as a lab's network has for machines. */
const NETWORK_BITS = 24;

// The same life on simulated machines: test/life/componentLife.test.ts.
describeKubernetesLife(`a TalosCluster on real machines of Talos ${LAB.talos}`, (lab) => {
  afterAll(() => lab.down());

  componentLife(() => labMachines(lab));
});

async function labMachines(lab: KubernetesLab): Promise<MachinesOfLife> {
  const { host, documents, patches } = await lab.settings();
  const versionContract = LAB.talos.split(".").slice(0, 2).join(".");
  const speaksDocuments = LAB.talos !== "v1.12.1";
  const own = speaksDocuments
    ? documents
    : { controlplane: [patches.controlplane], worker: [patches.worker] };
  const resolver = {
    apiVersion: "v1alpha1",
    kind: "ResolverConfig",
    nameservers: [{ address: host }],
  };
  const reachable = { machine: { certSANs: PUBLIC_ADDRESSES } };
  return {
    program: [process.execPath, PROGRAM, lab.command],
    talosVersion: LAB.talos,
    versionContract,
    kubernetes: LAB.kubernetes,
    args: {
      network: {
        cidrBlock: `${host.slice(0, host.lastIndexOf("."))}.0/${NETWORK_BITS}`,
        zones: ["us-east-1a", "us-east-1b"],
      },
      cni: "none",
    },
    patches: {
      // The option says the same as the lab's deletion of the pod network.
      controlPlane: [
        ...own.controlplane.filter((each) => !("$patch" in each)),
        resolver,
        reachable,
      ],
      workers: [...own.worker, resolver, reachable],
    },
  };
}
