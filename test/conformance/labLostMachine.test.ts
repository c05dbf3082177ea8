import { stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { encodeDocuments } from "../../provider/config/encode";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patch";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";

jest.setTimeout(240_000);

const address = (index: number) => `10.5.0.${index + 1}`;

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("control plane machines that go, on real Talos nodes", (lab) => {
  const machines = new Map<number, ServedResource>();
  const warned: string[] = [];
  let credentials: ClientCredentials;
  let machineConfiguration: string;
  let onFirst: TalosClient;

  const wanted = (index: number) => ({
    machineId: `i-${index}`,
    node: address(index),
    endpoint: address(index),
    privateAddress: address(index),
    credentials,
    machineConfiguration,
    patches: [],
    mode: "auto",
    onDestroy: { leaveEtcd: true },
    redactedConfiguration: "",
    timeoutSeconds: 200,
  });

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
          : { done: false, seen: `${voters.length} do` };
      },
    });
  }

  beforeAll(async () => {
    jest.spyOn(process.stdout, "write").mockReturnValue(true);
    jest.spyOn(process.stderr, "write").mockImplementation((text) => warned.push(String(text)) > 0);
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
      kubernetesVersion: "1.35.0",
      installDisk: "/dev/sda",
      installerImage: "factory.talos.dev/installer/0:v1.12.1",
    });
    const patch = stringify(await lab.patch());
    machineConfiguration = encodeDocuments(applyPatches(documents, [patch]));
    onFirst = TalosClient.connect({ endpoint: address(1), credentials });
    await lab.up(["cp1:2", "cp2:3", "cp3:4"]);
    for (const index of [1, 2, 3]) {
      const machine = new ServedResource("ConfigurationApply");
      expect(await machine.up(wanted(index))).toBe("created");
      machines.set(index, machine);
      if (index === 1) {
        await onFirst.bootstrap();
      }
    }
    await awaitVoters(3);
  }, 500_000);

  afterAll(async () => {
    jest.restoreAllMocks();
    onFirst.close();
    await lab.down();
  }, 100_000);

  it("make way for the machine that takes their place, when they are lost", async () => {
    await lab.stop("cp3");
    await lab.up(["cp4:5"]);
    expect(await machines.get(3)?.up(wanted(4))).toBe("replaced");
    expect(warned.join("")).toMatch(
      /machine 10\.5\.0\.4 is gone: .* took its member \S+ out of etcd/,
    );
    await awaitVoters(3);
    expect(await members()).toEqual([address(1), address(2), address(4)]);
  });

  it("leave etcd themselves while they run", async () => {
    warned.length = 0;
    await machines.get(2)?.destroy();
    expect(await members()).toEqual([address(1), address(4)]);
    expect(warned.join("")).toBe("");
  });
});
