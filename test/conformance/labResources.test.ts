import { X509Certificate } from "node:crypto";
import { parse } from "yaml";
import { readMachineState } from "../../provider/api/machineState";
import { TalosClient } from "../../provider/api/talosClient";
import { talosResources } from "../../provider/api/talosResources";
import { waitFor } from "../../provider/api/waitFor";
import { PartialCreateError } from "../../provider/engine/handler";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";
import { describeWithTalosctl } from "./support/talosctl";

/** A reboot of a real node took up to a minute and more where the computer was busy. */
const first = "10.5.0.2";
const second = "10.5.0.3";
const nobody = "10.5.0.77";

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("the resources on real Talos nodes", (lab) => {
  const controlPlane = new ServedResource("ConfigurationApply");
  const worker = new ServedResource("ConfigurationApply");
  const said: string[] = [];
  const warned: string[] = [];
  let secrets: SecretsBundle;
  let credentials: ClientCredentials;
  let talosconfig: string;
  let roles: Readonly<Record<"controlplane" | "worker", string>>;
  let onFirst: TalosClient;
  let onSecond: TalosClient;

  /** What a program gives for each machine. */
  const firstMachine = (more: object = {}) => machine("i-1", first, "controlplane", more);
  const secondMachine = (more: object = {}) => machine("i-2", second, "worker", more);
  function machine(machineId: string, node: string, role: keyof typeof roles, more: object) {
    return {
      machineId,
      ...reach(node, 150),
      machineConfiguration: roles[role],
      patches: [],
      mode: "auto",
      redactedConfiguration: "",
      ...more,
    };
  }

  function reach(node: string, timeoutSeconds: number) {
    return { node, endpoint: node, credentials, timeoutSeconds };
  }

  /** Counts up each time a machine takes a configuration. */
  async function appliedTimes(client: TalosClient): Promise<string> {
    const type = "MachineConfigs.config.talos.dev";
    return (await client.getResource({ namespace: "config", type, id: "persistent" })).version;
  }

  async function linesOf(client: TalosClient, id: string, part: string): Promise<number> {
    let count = 0;
    for await (const line of client.logs({ id })) {
      count += line.includes(part) ? 1 : 0;
    }
    return count;
  }

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => said.push(String(text)) > 0);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
    const made = async (kind: ConstructorParameters<typeof ServedResource>[0], inputs: object) => {
      const resource = new ServedResource(kind);
      expect(await resource.up(inputs)).toBe("created");
      return resource.outputs;
    };
    const { secretsBundle } = await made("MachineSecrets", {
      versionContract: "v1.12",
      allowContractChange: false,
    });
    secrets = secretsBundle as SecretsBundle;
    const client = await made("ClientConfiguration", {
      clusterName: "lab",
      certificateAuthority: secrets.certs.os,
      endpoints: [first],
      nodes: [],
      roles: ["os:admin"],
      lifetimeHours: 1,
    });
    credentials = client.credentials as ClientCredentials;
    talosconfig = String(client.talosconfig);
    const patch = await lab.patch();
    const configuration = async (machineType: string) => {
      const outputs = await made("MachineConfiguration", {
        clusterName: "lab",
        endpoint: `https://${first}:6443`,
        machineType,
        secretsBundle: secrets,
        platform: "aws",
        talosVersion: LAB.talos,
        versionContract: "v1.12",
        kubernetesVersion: LAB.kubernetes.next.slice(1),
        installDisk: "/dev/sda",
        patches: [patch],
      });
      return String(outputs.machineConfiguration);
    };
    roles = {
      controlplane: await configuration("controlplane"),
      worker: await configuration("worker"),
    };
    onFirst = TalosClient.connect({ endpoint: first, credentials });
    onSecond = TalosClient.connect({ endpoint: second, credentials });
    await lab.up(["cp1:2", "w1:3"]);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    onFirst.close();
    onSecond.close();
    await lab.down();
  });

  it("deliver a first configuration, and record a machine that misses the deadline", async () => {
    // A worker gets its certificate from a control plane, of which there is none yet.
    const early = worker.up(secondMachine({ timeoutSeconds: 5 }));
    await expect(early).rejects.toThrow(PartialCreateError);
    await expect(early).rejects.toThrow(`machine ${second} to run its configuration`);
    expect(said.join("")).toContain(`waiting for machine ${second} to run its configuration`);
    // The next run waits for it again.
    const again = worker.up(secondMachine({ timeoutSeconds: 2 }));
    await expect(again).rejects.toThrow(`machine ${second} to`);
  });

  it("configure a machine in maintenance mode", async () => {
    expect(await controlPlane.up(firstMachine())).toBe("created");
    expect(await readMachineState(onFirst)).toMatchObject({
      // Until its etcd is up, which no release passes by.
      stage: "booting",
      activeHash: controlPlane.outputs.configurationHash,
      persistentHash: controlPlane.outputs.configurationHash,
    });
    expect(await controlPlane.up(firstMachine())).toBe("same");
  });

  it("continue with a recorded machine, and are done when it runs its configuration", async () => {
    expect(await worker.up(secondMachine())).toBe("updated");
    const { activeHash } = await readMachineState(onSecond);
    expect(activeHash).toBe(worker.outputs.configurationHash);
  });

  it("take over machines whose run was cut off before it recorded them", async () => {
    for (const [client, inputs] of [
      [onFirst, firstMachine()],
      [onSecond, secondMachine()],
    ] as const) {
      const before = [await appliedTimes(client), await client.bootId()];
      expect(await new ServedResource("ConfigurationApply").up(inputs)).toBe("created");
      expect([await appliedTimes(client), await client.bootId()]).toEqual(before);
    }
  });

  it("bootstrap etcd, once", async () => {
    const health = {
      controlPlaneNodes: [first],
      workerNodes: [second],
      credentials,
      gates: ["etcd"],
      triggers: [],
    };
    const early = new ServedResource("ClusterHealth").up({ ...health, timeoutSeconds: 2 });
    await expect(early).rejects.toThrow(`${first}: etcd is Preparing`);

    const bootstrap = { ...reach(first, 150), peers: [] };
    expect(await new ServedResource("MachineBootstrap").up(bootstrap)).toBe("created");
    const [member] = await onFirst.etcdMembers();
    expect(await new ServedResource("MachineBootstrap").up(bootstrap)).toBe("created");
    expect(await onFirst.etcdMembers()).toEqual([member]);
    expect(await linesOf(onFirst, "machined", "bootstrap request received")).toBe(1);

    const healthy = new ServedResource("ClusterHealth");
    expect(await healthy.up({ ...health, timeoutSeconds: 30 })).toBe("created");
  });

  it("reject the bootstrap of a worker", async () => {
    const early = new ServedResource("MachineBootstrap").up({ ...reach(second, 60), peers: [] });
    await expect(early).rejects.toThrow(`machine ${second} is a worker`);
  });

  it("get a kubeconfig, and don't trust it before it works", async () => {
    const kubeconfig = new ServedResource("ClusterKubeconfig");
    // These nodes have no API server: there are no images of Kubernetes.
    const checked = { ...reach(first, 5), checked: true };
    await expect(kubeconfig.up(checked)).rejects.toThrow(
      "the Kubernetes API to accept the kubeconfig",
    );
    const serverUrl = "https://k8s.lab.example.com:6443";
    expect(await kubeconfig.up({ ...checked, checked: false, serverUrl })).toBe("created");
    const { clusters, users } = parse(String(kubeconfig.outputs.kubeconfig)) as {
      clusters: [{ cluster: { server: string; "certificate-authority-data": string } }];
      users: [{ user: { "client-certificate-data": string } }];
    };
    expect(clusters[0].cluster).toMatchObject({
      server: serverUrl,
      "certificate-authority-data": secrets.certs.k8s.crt,
    });
    const pem = (text: string) => new X509Certificate(Buffer.from(text, "base64"));
    const certificate = pem(users[0].user["client-certificate-data"]);
    expect(certificate.verify(pem(secrets.certs.k8s.crt).publicKey)).toBe(true);
    expect(certificate.subject).toContain("O=system:masters");
    expect(Date.parse(String(kubeconfig.outputs.notAfter))).toBe(Date.parse(certificate.validTo));
  });

  const labelled = { patches: [{ machine: { nodeLabels: { a: "b" } } }] };

  it("change a running machine", async () => {
    const { bootId } = await readMachineState(onFirst);
    expect(await controlPlane.up(firstMachine(labelled))).toBe("updated");
    const after = await readMachineState(onFirst);
    expect(after).toMatchObject({ bootId, activeHash: controlPlane.outputs.configurationHash });
    expect((await onFirst.getTyped(talosResources.activeConfiguration)).spec).toContain("a: b");
  });

  describeWithTalosctl("beside the real talosctl", (talosctl) => {
    it("find changes by hand, and revert them", async () => {
      talosctl.write("talosconfig", talosconfig);
      const recorded = worker.outputs;
      await worker.refresh();
      expect(worker.outputs).toEqual(recorded);

      const patch = '{"machine": {"sysctls": {"vm.swappiness": "1"}}}';
      const target = ["--talosconfig", "talosconfig", "-n", second];
      const { code, output } = await talosctl.start(["patch", "mc", ...target, "-p", patch]);
      expect([code, output]).toEqual([0, expect.stringContaining("patched MachineConfigs")]);
      await worker.refresh();
      expect(worker.inputs.redactedConfiguration).toMatchObject({
        machine: { sysctls: { "vm.swappiness": "1" } },
      });
      expect((await readMachineState(onSecond)).activeHash).toBe(worker.outputs.configurationHash);

      expect(await worker.up(secondMachine())).toBe("updated");
      // A machine may report its Talos only after its first configuration has started it.
      expect(worker.outputs).toMatchObject(recorded);
      expect((await readMachineState(onSecond)).activeHash).toBe(recorded.configurationHash);
      expect((await onSecond.getTyped(talosResources.activeConfiguration)).spec).not.toContain(
        "swappiness",
      );
    });
  });

  const staged = { patches: [{ machine: { env: { GREETING: "hello" } } }], mode: "staged" };

  it("stage a configuration", async () => {
    const before = await readMachineState(onFirst);
    expect(await controlPlane.up(firstMachine(staged))).toBe("updated");
    const after = await readMachineState(onFirst);
    expect(after).toEqual({ ...before, persistentHash: controlPlane.outputs.configurationHash });
    await controlPlane.refresh();
    expect(await controlPlane.up(firstMachine(staged))).toBe("same");
  });

  it("reject a change that needs a reboot if reboots are forbidden", async () => {
    const env = { patches: [{ machine: { env: { GREETING: "bye" } } }], mode: "noReboot" };
    await expect(worker.up(secondMachine(env))).rejects.toThrow(
      "takes effect only when it reboots",
    );
    expect(await worker.up(secondMachine())).toBe("same");
  });

  it("change what needs a reboot, and are done after it", async () => {
    const before = await readMachineState(onFirst);
    const env = { patches: [{ machine: { env: { GREETING: "bye" } } }] };
    expect(await controlPlane.up(firstMachine(env))).toBe("updated");
    const after = await readMachineState(onFirst);
    const { configurationHash } = controlPlane.outputs;
    // What it keeps and what it runs are one, of which it shows one.
    expect(after).toMatchObject({ activeHash: configurationHash, persistentHash: undefined });
    expect(after.bootId).not.toBe(before.bootId);
    await controlPlane.refresh();
    expect(controlPlane.outputs).toMatchObject({ configurationHash });
    const more = { patches: [...env.patches, ...labelled.patches] };
    expect(await controlPlane.up(firstMachine(more))).toBe("updated");
  });

  it("keep etcd after a reboot", async () => {
    const bootstrap = { ...reach(first, 150), peers: [] };
    const [before] = await waitFor({
      what: "etcd",
      deadlineMs: 60_000,
      probe: async () => ({ done: true as const, value: await onFirst.etcdMembers() }),
      isFatal: () => false,
    });
    expect(await new ServedResource("MachineBootstrap").up(bootstrap)).toBe("created");
    expect(await onFirst.etcdMembers()).toEqual([before]);
  });

  it("don't trust another machine at the address with a new configuration", async () => {
    await lab.wipe("w1");
    await lab.up(["w1:3"]);
    const patches = [{ machine: { sysctls: { "vm.max_map_count": "262144" } } }];
    const news = secondMachine({ patches, timeoutSeconds: 5 });
    await expect(worker.up(news)).rejects.toThrow(/maintenance mode/);
    warned.splice(0);
    const recorded = worker.outputs;
    await worker.refresh();
    expect(worker.outputs).toEqual(recorded);
    expect(warned.join("")).toMatch(
      new RegExp(`machine ${second} could not be checked.*maintenance mode`),
    );
    const blank = TalosClient.connectInsecure({ endpoint: second });
    expect((await blank.getTyped(talosResources.machineStatus)).spec.stage).toBe("maintenance");
    blank.close();

    const another = { ...news, machineId: "i-3", timeoutSeconds: 150 };
    expect(await worker.up(another)).toBe("replaced");
    expect((await readMachineState(onSecond)).activeHash).toBe(worker.outputs.configurationHash);
  });

  it("reset a machine when they are destroyed, on request", async () => {
    const onDestroy = { reset: true, graceful: false };
    const patches = [{ machine: { sysctls: { "vm.max_map_count": "262144" } } }];
    const news = secondMachine({ machineId: "i-3", patches, onDestroy });
    expect(await worker.up(news)).toBe("updated");
    // In a container Talos stops where it would wipe a disk.
    await worker.destroy();
    await expect(onSecond.version({ timeoutMs: 2_000 })).rejects.toMatchObject({
      code: "unreachable",
    });
  });

  it("keep the recorded state of a machine that doesn't answer, and warn", async () => {
    await lab.stop("cp1");
    warned.splice(0);
    const recorded = controlPlane.outputs;
    await controlPlane.refresh();
    expect(controlPlane.outputs).toEqual(recorded);
    expect(warned.join("")).toContain(`machine ${first} could not be checked`);
    const early = controlPlane.up(firstMachine({ ...labelled, timeoutSeconds: 3 }));
    await expect(early).rejects.toThrow(`machine ${first} to accept its configuration`);
    const elsewhere = { machineId: "i-9", ...reach(nobody, 3) };
    await expect(
      new ServedResource("ConfigurationApply").up(firstMachine(elsewhere)),
    ).rejects.toThrow(`machine ${nobody} to accept its first configuration`);
    // Nothing is done to a machine at its end unless it is told to.
    await controlPlane.destroy();
  });
});
