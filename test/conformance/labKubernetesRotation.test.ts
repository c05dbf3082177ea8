import { X509Certificate } from "node:crypto";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import { applyPatches } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { readCertificate } from "../../provider/pki/pem";
import { generateAuthority } from "../../provider/pki/rotation/generateAuthority";
import { planGenerations } from "../../provider/pki/rotation/planGenerations";
import type { RotationStage, RotationStep } from "../../provider/pki/rotation/rotation";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { bootstrapWhenReady } from "./support/bootstrapWhenReady";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

const FIRST = "10.7.0.2";

const machines = [
  { name: "cp1", address: FIRST, role: "controlplane" },
  { name: "w1", address: "10.7.0.3", role: "worker" },
] as const;

// One cluster's life: each test goes on where the one before it ended.
describeWithKubernetesLab("a rotation of the Kubernetes CA, on real Kubernetes", (lab) => {
  const applies = machines.map(() => new ServedResource("ConfigurationApply"));
  let bundle: SecretsBundle;
  let next: CertificateAndKey;
  let credentials: ClientCredentials;
  let client: TalosClient;
  let patches: Readonly<Record<"controlplane" | "worker", object>>;
  let kubernetesVersion: string;
  /** Administrators' kubeconfigs, as the first machine made them in each stage. */
  const kubeconfigs: Record<string, string> = {};

  const pair = (generation: number) => (generation === 1 ? bundle.certs.k8s : next);

  function configurationOf(role: MachineType, step: RotationStep | undefined): string {
    const { issuing, accepted } = planGenerations("kubernetesCa", step, role);
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${FIRST}:6443`,
      machineType: role,
      secretsBundle: { ...bundle, certs: { ...bundle.certs, k8s: pair(issuing) } },
      acceptedAuthorities: { kubernetesCa: accepted.map((each) => pair(each).crt) },
      versionContract: "v1.12",
      kubernetesVersion,
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    return encodeDocuments(applyPatches(documents, [patches[role]]));
  }

  /** Gives every machine the configuration of a stage, and waits until it is well. */
  async function apply(step: RotationStep | undefined, more: object[] = []): Promise<void> {
    for (const [index, { address, role }] of machines.entries()) {
      await applies[index]?.up({
        machineId: `i-${index}`,
        node: address,
        endpoint: address,
        privateAddress: address,
        credentials,
        timeoutSeconds: 300,
        patches: more,
        mode: "noReboot",
        settledSeconds: 3,
        machineConfiguration: configurationOf(role, step),
        redactedConfiguration: "",
      });
    }
  }

  async function reach(stage: RotationStage): Promise<void> {
    await apply({ to: 2, stage });
    kubeconfigs[stage] = await client.kubeconfig();
    await kubeletsReport(kubeconfigs[stage]);
    await nodesReady(kubeconfigs[stage]);
  }

  const ask = async <Answer>(kubeconfig: string, path: string): Promise<Answer> =>
    JSON.parse(
      await new KubernetesApi(kubeconfig).get(path, {
        address: FIRST,
        port: 6443,
        timeoutMs: 10_000,
      }),
    ) as Answer;

  /** A node stays Ready for 40 s after its kubelet was refused; the kubelet's own lease tells earlier. */
  async function kubeletsReport(kubeconfig: string): Promise<void> {
    const since = Date.now();
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    await waitFor<undefined>({
      what: "both kubelets to renew their leases",
      deadlineMs: 120_000,
      isFatal: () => false,
      probe: async () => {
        const { items } = await ask<{ items: { spec: { renewTime: string } }[] }>(kubeconfig, path);
        const renewed = items.filter(({ spec }) => Date.parse(spec.renewTime) > since);
        return renewed.length === machines.length
          ? { done: true, value: undefined }
          : { done: false, status: `${renewed.length} did` };
      },
    });
  }

  async function nodesReady(kubeconfig: string): Promise<void> {
    await waitFor<undefined>({
      what: "both nodes to be ready",
      deadlineMs: 400_000,
      isFatal: () => false,
      probe: async () => {
        const { items } = await ask<{
          items: { status: { conditions: { type: string; status: string }[] } }[];
        }>(kubeconfig, "/api/v1/nodes");
        const ready = items.filter(({ status }) =>
          status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
        );
        return ready.length === machines.length
          ? { done: true, value: undefined }
          : { done: false, status: `${ready.length} are` };
      },
    });
  }

  /** The certificates that Kubernetes signed for the worker's kubelet, and whether the next CA did. */
  async function kubeletCertificates(): Promise<boolean[]> {
    const { items } = await ask<{
      items: { spec: { signerName: string }; status: { certificate?: string } }[];
    }>(kubeconfigs.renew ?? "", "/apis/certificates.k8s.io/v1/certificatesigningrequests");
    return items
      .filter(({ spec }) => spec.signerName === "kubernetes.io/kube-apiserver-client-kubelet")
      .flatMap(({ status: { certificate } }) => {
        const leaf = new X509Certificate(Buffer.from(certificate ?? "", "base64"));
        return leaf.subject.includes("system:node:")
          ? [leaf.verify(readCertificate(next.crt).publicKey)]
          : [];
      });
  }

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    bundle = await generateSecretsBundle();
    next = await generateAuthority("kubernetesCa");
    credentials = await issueClientCredentials(bundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const settings = await lab.settings();
    ({ patches } = settings);
    kubernetesVersion = (Object.keys(settings.images).sort().at(-1) ?? "").replace(/^v/, "");
    client = TalosClient.connect({ endpoint: FIRST, credentials });
    await lab.up(machines.map(({ name }, index) => `${name}:${index + 2}`));
    await apply(undefined);
    await bootstrapWhenReady(client);
    kubeconfigs.before = await client.kubeconfig();
    await nodesReady(kubeconfigs.before);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    client.close();
    await lab.down();
  });

  it("makes all accept both, then issues with the new one, with ready nodes throughout", async () => {
    await reach("accept");
    await ask(kubeconfigs.before ?? "", "/api/v1/nodes");
    await reach("issue");
    await ask(kubeconfigs.accept ?? "", "/api/v1/nodes");
  });

  it("renews kubelets' certificates before the API server drops the old CA", async () => {
    await reach("renew");
    expect(await kubeletCertificates()).toContain(true);
    await ask(kubeconfigs.accept ?? "", "/api/v1/nodes");
  });

  it("rejects the old one at last, and the nodes stay ready", async () => {
    await reach("drop");
    await expect(ask(kubeconfigs.accept ?? "", "/api/v1/nodes")).rejects.toThrow();
  });

  // What `acceptedBootstrapTokens` builds on.
  it("keeps the Secret of a bootstrap token beside that of another one", async () => {
    await apply({ to: 2, stage: "drop" }, [{ cluster: { token: "abcdef.0123456789abcdef" } }]);
    const [former = ""] = bundle.secrets.bootstraptoken.split(".");
    const path = "/api/v1/namespaces/kube-system/secrets";
    await waitFor<undefined>({
      what: "the Secrets of both tokens",
      deadlineMs: 120_000,
      isFatal: () => false,
      probe: async () => {
        const { items } = await ask<{ items: { metadata: { name: string } }[] }>(
          kubeconfigs.drop ?? "",
          path,
        );
        const names = items.map(({ metadata }) => metadata.name);
        const isThere = ["abcdef", former].every((id) => names.includes(`bootstrap-token-${id}`));
        return isThere ? { done: true, value: undefined } : { done: false, status: names.join() };
      },
    });
  });
});
