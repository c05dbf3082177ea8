import { status, type ServiceError } from "@grpc/grpc-js";
import { stringify } from "yaml";
import { TalosClient } from "../../../../provider/api/talosClient";
import { WaitTimeoutError } from "../../../../provider/api/waitFor";
import { clock } from "../../../../provider/base/clock";
import { fingerprintText, hashDocuments, type KnownText } from "../../../../provider/config/hash";
import type { Patch } from "../../../../provider/config/patches/patch";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import {
  awaitConfiguration,
  deliverConfiguration,
  deliverFirstConfiguration,
} from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import { issueCertificate, selfSignedCertificate } from "../../../../provider/pki/issueCertificate";
import type { CertificateAndKey } from "../../../../provider/pki/secretsBundle";
import { eventually, SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { startTestNode } from "../../api/testNode";
import {
  createMaintenanceCertificate,
  createOsCa,
  issueCredentials,
  issueServerCertificate,
} from "../../api/testPki";
import { steppingIt } from "../../steppingClock";
import { deliveryOf, machineAt } from "../deliveries";
import { startListener } from "../listener";

const rebooting: Patch = { machine: { env: { GREETING: "hello" } } };
const live: Patch = { machine: { sysctls: { "vm.max_map_count": "262144" } } };

const hour = 3_600_000;
const request = {
  usages: ["serverAuth"],
  notBefore: new Date(Date.now() - hour),
  notAfter: new Date(Date.now() + hour),
  keyType: "ed25519",
} as const;

function knownText(text: string): KnownText {
  return { fingerprint: fingerprintText(text), hash: hashDocuments(decodeDocuments(text)) };
}

let cluster: SimulatedCluster;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

async function start(timings: { rebootMs?: number } = {}): Promise<void> {
  cluster = await SimulatedCluster.create(timings);
  cleanups.push(() => cluster.stop());
}

function freeAddress(): string {
  const random = () => 1 + Math.floor(Math.random() * 254);
  return `127.${192 + (random() % 60)}.${random()}.${random()}`;
}

async function listen(address: string, certificate: CertificateAndKey) {
  const listener = await startListener(address, certificate);
  cleanups.push(() => listener.stop());
  return listener;
}

describe("deliverFirstConfiguration", () => {
  beforeEach(() => start());

  steppingIt(
    "waits while the port is closed, and delivers to a machine in maintenance mode",
    async () => {
      const text = cluster.config("controlplane");
      const address = freeAddress();
      const delivery = deliveryOf(await machineAt(cluster, address), text);
      const delivered = deliverFirstConfiguration(delivery);
      await eventually(() => delivery.lines.some((line) => line.includes("connection refused")));
      const { node } = await cluster.add(undefined, address);
      await awaitConfiguration(delivery, await delivered);
      expect(node.machineConfiguration).toBe(text);
      expect(delivery.lines.join("\n")).not.toContain(cluster.secrets.trustdinfo.token);
    },
  );

  steppingIt(
    "goes on with a machine that takes everyone for a reader while it leaves maintenance mode",
    async () => {
      cluster.talosVersion = "v1.14.1";
      const { address, node } = await cluster.add();
      const text = cluster.config("controlplane");
      const delivery = deliveryOf(await machineAt(cluster, address), text);
      await awaitConfiguration(delivery, await deliverFirstConfiguration(delivery));
      expect(node.machineConfiguration).toBe(text);
      expect(delivery.lines.join("\n")).toContain("not authorized");
    },
  );

  steppingIt("goes on with one whose configuration a killed run has just sent", async () => {
    cluster.talosVersion = "v1.14.1";
    const { address, node } = await cluster.add();
    const text = cluster.config("controlplane");
    const machine = await machineAt(cluster, address);
    await deliverFirstConfiguration(deliveryOf(machine, text));
    await eventually(() => node.machineConfiguration === text);
    const next = deliveryOf(machine, text);
    await awaitConfiguration(next, await deliverFirstConfiguration(next));
    expect(next.lines.join("\n")).toContain("not authorized");
  });

  steppingIt("refuses soon where its own credentials may too little", async () => {
    const { address } = await cluster.add();
    const text = cluster.config("controlplane");
    const { certs } = cluster.secrets;
    const reader = await issueCredentials(certs.os, { roles: ["os:reader"] });
    const machine = { ...(await machineAt(cluster, address)), credentials: reader };
    const delivery = deliveryOf(machine, text);
    const accepted = await deliverFirstConfiguration(delivery);
    const before = clock.now();
    await expect(awaitConfiguration(delivery, accepted)).rejects.toThrow(
      /not authorized; use client credentials with a role that allows it/,
    );
    expect(clock.now() - before).toBeLessThan(60_000);
  });

  steppingIt(
    "never trusts a machine in maintenance mode that should have booted with user data",
    async () => {
      const { address, node } = await cluster.add();
      const text = cluster.config("controlplane");
      const delivery = deliveryOf(await machineAt(cluster, address), text, 10_000);
      await expect(deliverFirstConfiguration({ ...delivery, first: "userData" })).rejects.toThrow(
        /last seen: it is in maintenance mode: it found no configuration in its user data/,
      );
      expect(node.machineConfiguration).toBeUndefined();
    },
  );

  steppingIt(
    "finds the configuration that a machine booted with, and applies later changes",
    async () => {
      const { address, node } = await cluster.add(cluster.config("controlplane"));
      const text = cluster.config("controlplane", [live]);
      const delivery = deliveryOf(await machineAt(cluster, address), text);
      const acceptance = await deliverFirstConfiguration({ ...delivery, first: "userData" });
      await awaitConfiguration(delivery, acceptance);
      expect(node.machineConfiguration).toBe(text);
    },
  );

  steppingIt(
    "continues over mutual TLS if an earlier run was cut off after the delivery",
    async () => {
      const { address, node } = await cluster.add(cluster.config("controlplane"));
      const text = cluster.config("controlplane", [live]);
      const delivery = deliveryOf(await machineAt(cluster, address), text);
      await awaitConfiguration(delivery, await deliverFirstConfiguration(delivery));
      expect(node.machineConfiguration).toBe(text);
    },
  );

  steppingIt("delivers directly to the machine if its endpoint is another machine", async () => {
    const [controlPlane] = await cluster.addConfigured(1);
    const { address, node } = await cluster.add();
    const machine = await machineAt(cluster, address, controlPlane?.address);
    const delivery = deliveryOf(machine, cluster.config("worker"));
    await awaitConfiguration(delivery, await deliverFirstConfiguration(delivery));
    expect(node.machineConfiguration).toBe(delivery.text);
  });

  steppingIt("rejects a machine of another cluster at once, and sends it nothing", async () => {
    const address = freeAddress();
    const listener = await listen(
      address,
      await issueServerCertificate(await createOsCa(), { ipAddresses: [address] }),
    );
    const delivery = deliveryOf(
      await machineAt(cluster, address),
      cluster.config("controlplane"),
      60_000,
    );
    await expect(deliverFirstConfiguration(delivery)).rejects.toMatchObject({
      code: "wrongCluster",
      message: expect.stringContaining(`"${address}"`) as string,
    });
    expect(listener.connections()).toBeGreaterThan(0);
    expect(listener.bytesHeard()).toBe(0);
  });

  steppingIt("sends nothing to a self-signed server that is not in maintenance mode", async () => {
    const address = freeAddress();
    const listener = await listen(
      address,
      await selfSignedCertificate({ ...request, commonName: "talos", ipAddresses: [address] }),
    );
    const delivery = deliveryOf(
      await machineAt(cluster, address),
      cluster.config("controlplane"),
      60_000,
    );
    await expect(deliverFirstConfiguration(delivery)).rejects.toMatchObject({
      code: "wrongCluster",
    });
    expect(listener.connections()).toBeGreaterThan(0);
    expect(listener.bytesHeard()).toBe(0);
  });

  steppingIt("fails at the deadline and names the last state", async (stepping) => {
    const address = freeAddress();
    const machine = await machineAt(cluster, address);
    const failure: unknown = await deliverFirstConfiguration(
      deliveryOf(machine, cluster.config("worker"), 10_000),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WaitTimeoutError);
    expect(String(failure)).toContain(`machine ${address} to accept its first configuration`);
    expect(String(failure)).toMatch(/last seen: .*connection refused/);
    expect(stepping.skippedMs).toBeLessThanOrEqual(10_000);
  });
});

describe("a machine that has had its first configuration", () => {
  for (const act of [deliverConfiguration, awaitConfiguration]) {
    steppingIt(`is never contacted without its certificate by ${act.name}`, async () => {
      await start();
      const address = freeAddress();
      const listener = await listen(address, await createMaintenanceCertificate());
      const delivery = deliveryOf(
        await machineAt(cluster, address),
        cluster.config("controlplane"),
        10_000,
      );
      await expect(act(delivery, {})).rejects.toThrow(/last seen: .*maintenance mode/);
      expect(listener.connections()).toBeGreaterThan(1);
      expect(listener.bytesHeard()).toBe(0);
    });
  }

  /** One that takes configurations as a machine that runs, and tells what it was asked in which order. */
  async function startMachine() {
    const ca = await createOsCa();
    const asked: string[] = [];
    const running = {
      active: cluster.config("worker"),
      /** What it answers the first time that it is given a configuration. */
      firstAnswer: undefined as ServiceError | undefined,
    };
    const node = await startTestNode({
      certificate: await issueCertificate(ca, { ...request, ipAddresses: ["127.0.0.1"] }),
      clientCa: ca.crt,
      machine: {
        Version: (_, callback) => {
          callback(null, { messages: [{ version: { tag: "v1.12.1" } }] });
        },
        ServiceList: (_, callback) => {
          asked.push("services");
          callback(null, { messages: [{ services: [] }] });
        },
        ApplyConfiguration: (call, callback) => {
          asked.push("apply");
          running.active = call.request.data.toString("utf8");
          const { firstAnswer } = running;
          running.firstAnswer = undefined;
          callback(firstAnswer ?? null, { messages: [{ mode: "NO_REBOOT" }] });
        },
      },
      state: {
        Get: ({ request: { type, id } }, callback) => {
          asked.push(id);
          const yamlSpec =
            type === "MachineStatuses.runtime.talos.dev"
              ? "stage: running\nstatus:\n  ready: true\n  unmetConditions: []\n"
              : stringify(running.active);
          callback(null, { resource: { spec: { yamlSpec } } });
        },
      },
    });
    cleanups.push(() => node.stop());
    const credentials = await issueCredentials(ca);
    return {
      machine: { node: "127.0.0.1", endpoint: node.endpoint, credentials },
      asked,
      running,
    };
  }

  const look = ["persistent", "v1alpha1"];

  steppingIt(
    "does not get a configuration again that it runs, however that is written",
    async () => {
      await start();
      const { machine, asked, running } = await startMachine();
      const same = `# The same.\n${cluster.config("worker").replaceAll("    ", "  ")}`;
      expect(same).not.toBe(running.active);
      await deliverConfiguration(deliveryOf(machine, same));
      expect(asked).toEqual(look);
      const delivery = deliveryOf(machine, cluster.config("worker", [live]));
      await awaitConfiguration(delivery, await deliverConfiguration(delivery));
      expect(asked.slice(2)).toEqual([
        "persistent",
        "v1alpha1",
        "machine",
        "services",
        "apply",
        "v1alpha1",
        "machine",
      ]);
      expect(running.active).toBe(delivery.text);
    },
  );

  steppingIt("gets a change without a check if the change is harmless when repeated", async () => {
    await start();
    const { machine, asked, running } = await startMachine();
    const former = knownText(running.active);
    const delivery = { ...deliveryOf(machine, cluster.config("worker", [live])), former };
    await awaitConfiguration(delivery, await deliverConfiguration(delivery));
    expect(asked).toEqual(["v1alpha1", "machine", "services", "apply", "v1alpha1", "machine"]);
  });

  steppingIt("is checked first if the change could cause another reboot", async () => {
    await start();
    const { machine, asked, running } = await startMachine();
    const former = knownText(running.active);
    const delivery = deliveryOf(machine, cluster.config("worker", [live]));
    running.active = delivery.text;
    await deliverConfiguration({ ...delivery, former, mode: "reboot" });
    expect(asked).toEqual(look);
  });

  steppingIt("is checked after a call that may have arrived", async () => {
    await start();
    const { machine, asked, running } = await startMachine();
    const former = knownText(running.active);
    running.firstAnswer = Object.assign(new Error(), { code: status.UNAVAILABLE }) as ServiceError;
    await deliverConfiguration({
      ...deliveryOf(machine, cluster.config("worker", [live])),
      former,
    });
    expect(asked).toEqual(["v1alpha1", "machine", "services", "apply", ...look]);
  });

  for (const talosVersion of ["v1.12.1", "v1.14.1"]) {
    steppingIt(`is awaited while it reboots for a change, with Talos ${talosVersion}`, async () => {
      await start({ rebootMs: 700 });
      cluster.talosVersion = talosVersion;
      const { address, node } = await cluster.add(cluster.config("controlplane"));
      const ups = () => cluster.lines.filter((line) => line.endsWith(" is up")).length;
      await eventually(() => ups() === 1);
      const delivery = deliveryOf(
        await machineAt(cluster, address),
        cluster.config("controlplane", [rebooting]),
      );
      await awaitConfiguration(delivery, await deliverConfiguration(delivery));
      expect(node.stage).toBe("running");
      expect(node.machineConfiguration).toContain("GREETING: hello");
      await eventually(() => ups() === 2);
    });
  }

  steppingIt(
    "takes back what Talos v1.14 has kept for its next boot, without a reboot",
    async () => {
      await start();
      cluster.talosVersion = "v1.14.1";
      const former = cluster.config("controlplane");
      const { address, node } = await cluster.add(former);
      const delivery = deliveryOf(await machineAt(cluster, address), former);
      const client = TalosClient.connect({ ...delivery.machine, endpoint: address });
      const data = cluster.config("controlplane", [rebooting]);
      await client.applyConfiguration({ data, mode: "STAGED" });
      client.close();
      expect((await deliverConfiguration(delivery)).rebootsFrom).toBeUndefined();
      await awaitConfiguration({ ...delivery, mode: "staged" }, {});
      expect(node.machineConfiguration).toBe(former);
    },
  );

  steppingIt(
    "boots for a change that Talos v1.14 has kept for its next boot, in an interrupted run",
    async () => {
      await start();
      cluster.talosVersion = "v1.14.1";
      const { address, node } = await cluster.add(cluster.config("controlplane"));
      const text = cluster.config("controlplane", [rebooting]);
      const delivery = deliveryOf(await machineAt(cluster, address), text);
      const client = TalosClient.connect({ ...delivery.machine, endpoint: address });
      await client.applyConfiguration({ data: text, mode: "STAGED" });
      client.close();
      await awaitConfiguration(delivery, await deliverConfiguration(delivery));
      expect(node.machineConfiguration).toContain("GREETING: hello");
    },
  );

  steppingIt("is awaited until the deadline if it runs another one", async () => {
    await start();
    const { address } = await cluster.add(cluster.config("controlplane"));
    const delivery = deliveryOf(
      await machineAt(cluster, address),
      cluster.config("controlplane", [live]),
      10_000,
    );
    await expect(awaitConfiguration(delivery, {})).rejects.toThrow(
      /last seen: it runs another configuration/,
    );
  });
});
