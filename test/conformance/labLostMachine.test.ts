import { stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { maintenanceOutput } from "../../provider/console/maintenanceOutput";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { startConsoleServer } from "../provider/console/consoleServer";
import { bootstrapWhenReady } from "./support/bootstrapWhenReady";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";

const address = (index: number) => `10.5.0.${index + 1}`;

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("control plane machines that go, on real Talos nodes", (lab) => {
  const applies = new Map<number, ServedResource>();
  const places = new Map<number, ServedResource>();
  const warned: string[] = [];
  let credentials: ClientCredentials;
  let machineConfiguration: string;
  let onFirst: TalosClient;

  const machine = (index: number) => ({
    machineId: `i-${index}`,
    node: address(index),
    endpoint: address(index),
    privateAddress: address(index),
    credentials,
    timeoutSeconds: 200,
  });
  const wanted = (index: number) => ({
    ...machine(index),
    machineConfiguration,
    patches: [],
    mode: "auto",
    redactedConfiguration: "",
  });
  const member = (index: number) => ({ ...machine(index), peers: [address(1)] });

  const made = (resources: Map<number, ServedResource>, index: number): ServedResource => {
    const resource = resources.get(index);
    if (resource === undefined) {
      throw new Error(`there is no machine ${index}`);
    }
    return resource;
  };

  const members = async () =>
    (await onFirst.etcdMembers()).map(({ peerUrls: [url = ""] }) => new URL(url).hostname).sort();

  async function awaitVoters(count: number): Promise<void> {
    await waitFor<undefined>({
      what: `${count} members of etcd to vote`,
      deadlineMs: 150_000,
      isFatal: () => false,
      probe: async () => {
        const voters = (await onFirst.etcdMembers()).filter(({ isLearner }) => !isLearner);
        return voters.length === count
          ? { done: true, value: undefined }
          : { done: false, status: `${voters.length} do` };
      },
    });
  }

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
    const secretsBundle = await generateSecretsBundle();
    credentials = await issueClientCredentials(secretsBundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${address(1)}:6443`,
      machineType: "controlplane",
      secretsBundle,
      versionContract: "v1.12",
      kubernetesVersion: LAB.kubernetes.next.slice(1),
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    const patch = stringify(await lab.patch());
    machineConfiguration = encodeDocuments(applyPatches(documents, [patch]));
    onFirst = TalosClient.connect({ endpoint: address(1), credentials });
    await lab.up(["cp1:2", "cp2:3", "cp3:4"]);
    for (const index of [1, 2, 3]) {
      applies.set(index, new ServedResource("ConfigurationApply"));
      places.set(index, new ServedResource("EtcdMember"));
      expect(await made(applies, index).up(wanted(index))).toBe("created");
      expect(await made(places, index).up(member(index))).toBe("created");
      if (index === 1) {
        await bootstrapWhenReady(onFirst);
      }
    }
    await awaitVoters(3);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    onFirst.close();
    await lab.down();
  });

  it("keep the others from a restart for a configuration, when they are lost", async () => {
    await lab.stop("cp3");
    const patches = [stringify({ machine: { env: { GREETING: "hello" } } })];
    const reboot = { ...wanted(1), patches, timeoutSeconds: 30 };
    await expect(made(applies, 1).up(reboot)).rejects.toThrow(
      /etcd's other members to be healthy, before machine 10\.5\.0\.2 restarts .*the etcd member 10\.5\.0\.4 doesn't answer.* replace it first/,
    );
    const label = [stringify({ machine: { nodeLabels: { tier: "one" } } })];
    expect(await made(applies, 1).up({ ...wanted(1), patches: label })).toBe("updated");
  });

  it("are removed for their replacements, when they are lost", async () => {
    await lab.up(["cp4:5"]);
    expect(await new ServedResource("ConfigurationApply").up(wanted(4))).toBe("created");
    // A second etcd would be a second cluster. It may have joined the first one, as a learner.
    const reach = { node: address(4), endpoint: address(4), credentials };
    const bootstrap = new ServedResource("MachineBootstrap");
    const second = await bootstrap
      .up({ ...reach, timeoutSeconds: 40, peers: [] })
      .catch((error: unknown) => String(error));
    if (second === "created") {
      // It found an etcd, for it votes in the first one by now.
      expect(LAB.learnersVoteSoon).toBe(true);
      expect(await members()).toContain(address(4));
    } else {
      expect(second).toMatch(
        /etcd runs on 10\.5\.0\.\d, which this machine has not joined yet|not supported for learner/,
      );
    }
    expect(await made(places, 3).up(member(4))).toBe("updated");
    expect(warned.join("")).toMatch(
      /machine 10\.5\.0\.4 is gone: .* removed its member \S+ from etcd/,
    );
    // The update waits until the new member votes.
    const votes = (await onFirst.etcdMembers()).map(({ isLearner }) => isLearner);
    expect(votes).toEqual([false, false, false]);
    expect(await members()).toEqual([address(1), address(2), address(4)]);
  });

  it("leave when their replacements vote", async () => {
    warned.length = 0;
    await lab.wipe("cp3");
    await lab.up(["cp5:6"]);
    // As EC2 shows it: in a container Talos adds a date, and no kernel starts.
    const shownByEc2 = async () =>
      (await lab.console("cp5")).replaceAll(/^(\[talos\]) \S+ \S+/gm, "[    1.000000] $1");
    const lastShown = async () =>
      maintenanceOutput(await shownByEc2()).fingerprints.at(-1) ?? "none";
    const contact = new ServedResource("FirstContact");
    expect(await contact.up({ ...machine(5), machineId: "i-5, as a killed run met it" })).toBe(
      "created",
    );
    const { fingerprints: firstContact } = contact.outputs;
    expect(firstContact).toEqual([await lastShown()]);
    const apply = new ServedResource("ConfigurationApply");
    await lab.stop("cp5");
    await lab.start("cp5");
    const shown = await lastShown();
    expect(firstContact).not.toEqual([shown]);
    await expect(apply.up({ ...wanted(5), firstContact })).rejects.toThrow(
      /is in maintenance mode with the certificate .* A former run met it .*Nothing was sent/,
    );
    const console = Buffer.from(await shownByEc2());
    const server = await startConsoleServer(() => console);
    Object.entries(server.environment).forEach(([name, value]) => vi.stubEnv(name, value));
    const instanceArn = "arn:aws:ec2:us-east-1:123456789012:instance/i-0123456789abcdef0";
    // Its console proves it, whatever the killed run met.
    const proven = { ...wanted(5), firstContact, console: { instanceArn } };
    expect(await apply.up(proven)).toBe("created");
    expect(server.calls).toHaveLength(1);
    vi.unstubAllEnvs();
    await server.close();
    expect(await made(places, 2).up(member(5))).toBe("updated");
    expect(await members()).toEqual([address(1), address(4), address(5)]);
    expect(warned.join("")).toBe("");
  });

  it("leave etcd while they run", async () => {
    await made(places, 2).destroy();
    expect(await members()).toEqual([address(1), address(4)]);
    expect(warned.join("")).toBe("");
  });

  it("are removed by a peer when they are dead", async () => {
    // Two members, one of which is dead, have no majority to take anything out.
    await lab.wipe("cp2");
    await lab.up(["cp6:7"]);
    expect(await new ServedResource("ConfigurationApply").up(wanted(6))).toBe("created");
    places.set(6, new ServedResource("EtcdMember"));
    expect(await made(places, 6).up(member(6))).toBe("created");
    await awaitVoters(3);
    await lab.stop("cp6");
    await made(places, 6).destroy();
    expect(await members()).toEqual([address(1), address(4)]);
    expect(warned.join("")).toMatch(/machine 10\.5\.0\.7 is gone: .* removed its member/);
  });
});
