import { eachKnownAddOn, type KnownChoices } from "../../../components/addOns/addOnChoices";
import { containersOf } from "../../../components/addOns/addOnImages";
import { ownObjects } from "../../../components/addOns/ownObjects";
import { planOwnManifests } from "../../../components/addOns/planOwnManifests";
import { podIdentityWebhook } from "../../../components/addOns/podIdentityWebhook";
import { ADD_ONS, ADD_ON_NAMES, type ClusterAddOnsArgs } from "../../../components/addOns/registry";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import { planRegistries } from "../../../components/cluster/isolation/planRegistries";
import { checkIrsa } from "../../../components/cluster/plan/clusterIrsa";
import { serve } from "../../../provider/serve";
import { machineConfigurationInputs } from "../../provider/resources/samples";
import { standardCluster } from "../cluster/standardCluster";
import { checkedAddOns } from "./checkedAddOns";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const scope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.example.com",
};
const more: Readonly<Record<string, object>> = { externalDns: { zoneIds: ["Z0123456789"] } };
const addOns = ADD_ON_NAMES.filter((name) => ADD_ONS[name].objects !== undefined);
const imagesIn = (contents: string) =>
  [...contents.matchAll(/^ *image: (.*)$/gm)].map(([, image = ""]) => image);
/** Another image for each container of an add-on, of one content. */
const imagesOf = (containers: readonly string[]) =>
  Object.fromEntries(
    containers.map((each) => [each, `registry.example.com:5000/${each}@${DIGEST}`]),
  );

describe("images of one content", () => {
  it.each(addOns)(
    "can be given for each container of %s, and are fetched from where they are",
    (name) => {
      const [containers = []] = eachKnownAddOn({ [name]: {} }, (_name, addOn) => [
        containersOf(addOn),
      ]);
      const images = imagesOf(containers);
      const choices: KnownChoices = { [name]: { ...more[name], images } };
      const [manifest] = planOwnManifests(scope, choices);
      const found = imagesIn(manifest?.contents ?? "");
      expect(found.length).toBeGreaterThan(0);
      expect(found.every((image) => image.endsWith(DIGEST))).toBe(true);
      const args = {
        ...standardCluster,
        addOns: { cloudController: true, ...choices } as ClusterAddOnsArgs,
        workerPools: { apps: { machineCount: 1 } },
        irsa: { webhook: { images: imagesOf(containersOf(podIdentityWebhook)) } },
      };
      expect(checkedAddOns(args)).toEqual([]);
      const fetched = (["controlPlane", "worker"] as const).map((role) =>
        planRegistries(chooseAddOns(args), role),
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
    const images = imagesOf(containersOf(podIdentityWebhook));
    const objects = ownObjects(podIdentityWebhook, scope, { images });
    expect(JSON.stringify(objects)).toContain(DIGEST);
    const args = chooseAddOns({ ...standardCluster, irsa: { webhook: { images } } });
    expect(checkIrsa(args)).toEqual([]);
    expect(planRegistries(args, "worker").get("registry.example.com:5000")).toEqual(["irsa"]);
    expect(JSON.stringify(ownObjects(podIdentityWebhook, scope, {}))).not.toContain(DIGEST);
  });

  it("are refused if they are whatever is newest, or for a container that isn't there", () => {
    const problems = checkedAddOns({
      ...standardCluster,
      addOns: { auditLog: { images: { "fluent-bit": "fluent-bit:latest", sidecar: "a:1" } } },
    });
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
