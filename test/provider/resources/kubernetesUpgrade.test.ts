import { kubernetesUpgradeHandler as handler } from "../../../provider/resources/kubernetesUpgrade";
import { UNKNOWN } from "../../../provider/unknown";
import { silent } from "../progress";

const imagesOf = (version: string, registry = "registry.k8s.io") => ({
  apiServer: `${registry}/kube-apiserver:${version}`,
  controllerManager: `${registry}/kube-controller-manager:${version}`,
  scheduler: `${registry}/kube-scheduler:${version}`,
});

const inputsOf = (images: ReturnType<typeof imagesOf>, machineId = "i-1") => ({
  ...{ machineId, node: "127.0.0.9", endpoint: "127.0.0.9" },
  ...{ credentials: { ca: "", crt: "", key: "" }, settledSeconds: 5, timeoutSeconds: 60 },
  redactedConfiguration: {
    cluster: {
      apiServer: { image: images.apiServer },
      controllerManager: { image: images.controllerManager },
      scheduler: { image: images.scheduler },
    },
  },
});

const before = imagesOf("v1.34.0");
const recorded = { machineId: "i-1", images: before };

async function failures(images: ReturnType<typeof imagesOf>, machineId?: string) {
  const olds = (await handler.check(undefined, inputsOf(before))).inputs;
  return (await handler.check(olds, inputsOf(images, machineId))).failures;
}

describe("an upgrade of Kubernetes in an update that replaces the machine it asks", () => {
  const refusal =
    'this update replaces the control plane machine that upgrades Kubernetes on the others: set Kubernetes back to v1.34.0, run "pulumi up" to replace the machine, then upgrade to v1.35.0';

  it("is refused in the preview, where the new machine has no id yet", async () => {
    expect(await failures(imagesOf("v1.35.0"), UNKNOWN)).toEqual([
      { property: "kubernetesVersion", reason: refusal },
    ]);
    expect(await failures(imagesOf("v1.35.0"))).toEqual([]);
  });

  it("is refused in the update, if an earlier run has made the new machine", async () => {
    const { inputs } = await handler.check(undefined, inputsOf(imagesOf("v1.35.0"), "i-2"));
    await expect(handler.update("kubernetes", recorded, inputs, silent)).rejects.toThrow(refusal);
  });

  it("may come from another registry, and creates whole clusters", async () => {
    const mirrored = imagesOf("v1.34.0", "mirror.example");
    expect(await failures(mirrored, UNKNOWN)).toEqual([]);
    const { inputs } = await handler.check(undefined, inputsOf(mirrored, "i-2"));
    expect(await handler.update("kubernetes", recorded, inputs, silent)).toEqual({
      machineId: "i-2",
      images: mirrored,
    });
    expect((await handler.check(undefined, inputsOf(before, UNKNOWN))).failures).toEqual([]);
  });
});
