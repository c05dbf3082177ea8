import { containersOf } from "../../../../components/cluster/addOns/addOnContainers";
import { checkAddOns } from "../../../../components/cluster/addOns/checkAddOns";
import { podIdentityWebhookObjects } from "../../../../components/cluster/addOns/objects/podIdentityWebhookObjects";
import { withImages } from "../../../../components/cluster/addOns/objects/withImages";
import {
  MANIFEST_NAMES,
  planOwnManifests,
} from "../../../../components/cluster/addOns/planOwnManifests";
import type { ClusterAddOnsArgs } from "../../../../components/cluster/arguments/clusterAddOnsArgs";
import { checkIrsa } from "../../../../components/cluster/clusterIrsa";
import { planRegistries } from "../../../../components/cluster/isolation/planRegistries";
import { serve } from "../../../../provider/serve";
import { machineConfigurationInputs } from "../../../provider/resources/samples";
import { standardCluster } from "../standardCluster";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const scope = {
  ...{ clusterName: "c", region: "us-east-1", kubernetesVersion: "v1.35.0", controlPlanes: 3 },
  recordName: "k8s.example.com",
};
const more: Readonly<Record<string, object>> = { externalDns: { zoneIds: ["Z0123456789"] } };
const addOns = Object.keys(MANIFEST_NAMES) as (keyof typeof MANIFEST_NAMES)[];
const imagesIn = (contents: string) =>
  [...contents.matchAll(/^ *image: (.*)$/gm)].map(([, image = ""]) => image);
/** Another image for each container of an add-on, of one content. */
const imagesOf = (name: string) =>
  Object.fromEntries(
    containersOf(name).map((each) => [each, `registry.example.com:5000/${each}@${DIGEST}`]),
  );

describe("images of one content", () => {
  it.each(addOns)(
    "can be given for each container of %s, and are fetched from where they are",
    (name) => {
      const images = imagesOf(name);
      const choices = { [name]: { ...more[name], images } };
      const [manifest] = planOwnManifests(scope, choices);
      const found = imagesIn(manifest?.contents ?? "");
      expect(found.length).toBeGreaterThan(0);
      expect(found.every((image) => image.endsWith(DIGEST))).toBe(true);
      const args = {
        ...standardCluster,
        addOns: { cloudController: true, ...choices } as ClusterAddOnsArgs,
        workerPools: { apps: { machineCount: 1 } },
      };
      expect(checkAddOns(args)).toEqual([]);
      const fetched = (["controlPlane", "worker"] as const).map((role) =>
        planRegistries(args, role),
      );
      const users = fetched.map((registries) => registries.get("registry.example.com:5000"));
      expect(users.flat()).toContain(name);
      expect(fetched.map((registries) => registries.get("public.ecr.aws"))).toEqual([
        undefined,
        undefined,
      ]);
    },
  );

  it("can be given for the webhook of irsa", () => {
    const images = imagesOf("webhook");
    const objects = withImages(podIdentityWebhookObjects(scope, {}, ""), images);
    expect(JSON.stringify(objects)).toContain(DIGEST);
    expect(checkIrsa({ ...standardCluster, irsa: { webhook: { images } } })).toEqual([]);
    expect(withImages(podIdentityWebhookObjects(scope, {}, ""))).toEqual(
      podIdentityWebhookObjects(scope, {}, ""),
    );
  });

  it("are refused if they are whatever is newest, or for a container that isn't there", () => {
    const problems = checkAddOns({
      ...standardCluster,
      addOns: { auditLog: { images: { "fluent-bit": "fluent-bit:latest", sidecar: "a:1" } } },
    }).map(({ property, reason }) => `${property}: ${reason}`);
    expect(problems).toEqual([
      expect.stringMatching(
        /^addOns\.auditLog\.images\["fluent-bit"\]: "fluent-bit:latest" is whatever/,
      ),
      `addOns.auditLog.images["sidecar"]: its pods have no container of that name: take one of fluent-bit`,
    ]);
  });

  it.each([
    ["machine.install.image", "factory.talos.dev/aws-installer/SCHEMATIC:v1.12.1"],
    ["machine.kubelet.image", "ghcr.io/siderolabs/kubelet:v1.35.0"],
    ["cluster.apiServer.image", "registry.k8s.io/kube-apiserver:v1.35.0"],
    ["cluster.controllerManager.image", "registry.k8s.io/kube-controller-manager:v1.35.0"],
    ["cluster.scheduler.image", "registry.k8s.io/kube-scheduler:v1.35.0"],
    ["cluster.proxy.image", "registry.k8s.io/kube-proxy:v1.35.0"],
    ["cluster.etcd.image", "registry.k8s.io/etcd:v3.6.6"],
    ["cluster.coreDNS.image", "registry.k8s.io/coredns/coredns:v1.13.2"],
  ])("can be given by a patch of %s", async (place, image) => {
    const usual = await machineConfigurationInputs();
    const { inputs: rendered } = await serve("MachineConfiguration").check({}, usual);
    const installer = (rendered as { readonly installerImage: string }).installerImage;
    const pinned = `${place.startsWith("machine.install") ? installer : image}@${DIGEST}`;
    const patch = place.split(".").reduceRight<unknown>((value, key) => ({ [key]: value }), pinned);
    const { failures } = await serve("MachineConfiguration").check(
      {},
      { ...usual, patches: [patch] },
    );
    expect(failures).toEqual([]);
  });
});
