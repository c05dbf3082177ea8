import { FIXED_FIELD_CHANGES, manifestWith } from "./support/fixedFieldChanges";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const controlPlane = "10.7.0.2";

// What a run says of a change that the API server refuses for good. Simulated API servers are judged by the same changes.
describeWithKubernetesLab("fields that keep their value, in Kubernetes", (lab) => {
  let lives: LabCluster;

  const listed = (inventory: string, object: object) => ({
    nodes: [controlPlane],
    credentials: lives.credentials,
    timeoutSeconds: 600,
    inventory,
    deleteContainers: true,
    awaitRollouts: false,
    kubernetesVersion: LAB.kubernetes.next,
    manifests: manifestWith(object),
  });

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    lives = await makeLabCluster(lab, controlPlane);
    await lab.up(["cp1:2"]);
    const machine = new ServedResource("ConfigurationApply");
    await machine.up(lives.inputs("controlplane", controlPlane));
    const reach = { node: controlPlane, endpoint: controlPlane, credentials: lives.credentials };
    await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it.each(FIXED_FIELD_CHANGES)("are refused with a way out: $what", async ({ before, after }) => {
    const objects = new ServedResource("KubernetesObjects");
    expect(await objects.up(listed("fixed", before))).toBe("created");
    await expect(objects.up(listed("fixed", after))).rejects.toThrow(
      /the next run recreates it|take the change back/,
    );
    expect(await objects.up(listed("fixed", before))).not.toBe("created");
    await objects.destroy();
  });
});
