import { stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import { applyPatches } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { joinCertificates } from "../../provider/pki/pem";
import { generateAuthority } from "../../provider/pki/rotation/generateAuthority";
import { planGenerations } from "../../provider/pki/rotation/planGenerations";
import type { RotationStep } from "../../provider/pki/rotation/rotation";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";

const FIRST = "10.5.0.2";

const machines = [
  { name: "cp1", address: FIRST, role: "controlplane" },
  { name: "w1", address: "10.5.0.3", role: "worker" },
] as const;

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("a rotation of the Talos CA, on real Talos nodes", (lab) => {
  const applies = machines.map(() => new ServedResource("ConfigurationApply"));
  let bundle: SecretsBundle;
  let next: CertificateAndKey;
  let patch: string;
  /** Clients of the stages so far. */
  let before: ClientCredentials;
  let accepting: ClientCredentials;
  let issuing: ClientCredentials;

  const pair = (generation: number) => (generation === 1 ? bundle.certs.os : next);

  /** What a stage gives a client, as `ClientConfiguration` does. */
  async function clientOf(step: RotationStep | undefined): Promise<ClientCredentials> {
    const { issuing, accepted } = planGenerations("talosCa", step, "controlplane");
    const credentials = await issueClientCredentials(pair(issuing), {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    return {
      ...credentials,
      ca: joinCertificates([issuing, ...accepted].map((each) => pair(each).crt)),
    };
  }

  function configurationOf(role: MachineType, step: RotationStep | undefined): string {
    const { issuing, accepted } = planGenerations("talosCa", step, role);
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${FIRST}:6443`,
      machineType: role,
      secretsBundle: { ...bundle, certs: { ...bundle.certs, os: pair(issuing) } },
      acceptedAuthorities: { talosCa: accepted.map((each) => pair(each).crt) },
      versionContract: "v1.12",
      kubernetesVersion: LAB.kubernetes.next.slice(1),
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    return encodeDocuments(applyPatches(documents, [patch]));
  }

  /**
   * Gives every machine the configuration of a stage, the control plane first.
   *
   * @returns the client that did it
   */
  async function apply(step: RotationStep | undefined): Promise<ClientCredentials> {
    const credentials = await clientOf(step);
    for (const [index, { address, role }] of machines.entries()) {
      await applies[index]?.up({
        machineId: `i-${index}`,
        node: address,
        endpoint: address,
        privateAddress: address,
        credentials,
        timeoutSeconds: 100,
        patches: [],
        mode: "noReboot",
        machineConfiguration: configurationOf(role, step),
        redactedConfiguration: "",
      });
    }
    return credentials;
  }

  /** Asks each machine itself, and the worker through the control plane, which shows a certificate of its own. */
  async function askAll(credentials: ClientCredentials): Promise<void> {
    const ways = [...machines.map(({ address }) => [address, address]), [FIRST, "10.5.0.3"]];
    for (const [endpoint = "", node = ""] of ways) {
      const client = TalosClient.connect({ endpoint, node, credentials });
      try {
        await client.version();
      } finally {
        client.close();
      }
    }
  }

  /** A worker asks trustd for another certificate a moment after it has another configuration. */
  async function awaitAll(credentials: ClientCredentials): Promise<void> {
    await waitFor<undefined>({
      what: "all machines to know the client",
      deadlineMs: 60_000,
      isFatal: () => false,
      probe: async () => {
        await askAll(credentials);
        return { done: true, value: undefined };
      },
    });
  }

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    bundle = await generateSecretsBundle();
    next = await generateAuthority("talosCa");
    patch = stringify(await lab.patch());
    await lab.up(machines.map(({ name }, index) => `${name}:${index + 2}`));
    before = await apply(undefined);
    await awaitAll(before);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
  });

  it("makes machines accept both, and clients of the new one", async () => {
    accepting = await apply({ to: 2, stage: "accept" });
    await awaitAll(before);
    await awaitAll(accepting);
    // Its own certificate is of the new one, and it trusts machines of the old one.
    await awaitAll(await clientOf({ to: 2, stage: "issue" }));
  });

  it("issues with the new one, and accepts clients of both", async () => {
    issuing = await apply({ to: 2, stage: "issue" });
    await awaitAll(issuing);
    await awaitAll(accepting);
    // Every machine shows a certificate of the new one.
    await awaitAll({ ...(await clientOf({ to: 2, stage: "issue" })), ca: next.crt });
    // A client of its own, as connections of the others may be open still.
    await expect(askAll(await clientOf(undefined))).rejects.toThrow("certificate");
  });

  it("rejects the old one at last", async () => {
    await awaitAll(await apply({ to: 2, stage: "drop" }));
    await awaitAll(issuing);
    const late = await clientOf({ to: 2, stage: "accept" });
    await expect(askAll(late)).rejects.toThrow(/certificate/);
  });
});
