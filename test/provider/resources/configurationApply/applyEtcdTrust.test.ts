import type { Patch } from "../../../../provider/config/patches/patch";
import { readStatus } from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import type { ApplyMode } from "../../../../provider/lifecycle/delivery/delivery";
import { withMachine } from "../../../../provider/lifecycle/machine";
import { joinCertificates } from "../../../../provider/pki/pem";
import { generateAuthority } from "../../../../provider/pki/rotation/generateAuthority";
import type { CertificateAndKey } from "../../../../provider/pki/secretsBundle";
import type { ApplyState } from "../../../../provider/resources/configurationApply/applyRecord";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import { silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

const id = "i-0123456789abcdef0";

let cluster: SimulatedCluster;
let node: SimulatedNode;
let next: CertificateAndKey;

async function start(talosVersion: string): Promise<void> {
  cluster = await SimulatedCluster.create();
  cluster.talosVersion = talosVersion;
  next = await generateAuthority("etcdCa");
  node = await cluster.add(cluster.config("controlplane", installer(talosVersion)));
  await cluster.bootstrap(node, 1);
}

const installer = (version: string): Patch[] => [
  { machine: { install: { image: `factory.talos.dev/aws-installer/0:${version}` } } },
];

afterEach(() => cluster.stop());

/** The inputs of a machine whose etcd has these CAs, of which the first issues. */
async function inputsOf([issuing, ...accepted]: CertificateAndKey[], mode: ApplyMode = "auto") {
  const { etcd } = cluster.secrets.certs;
  const { key } = issuing ?? etcd;
  const crt = joinCertificates([issuing ?? etcd, ...accepted].map((each) => each.crt));
  const patches: Patch[] = [{ cluster: { etcd: { ca: { crt, key } } } }];
  const machineConfiguration = cluster.config("controlplane", installer(cluster.talosVersion));
  const { inputs, failures } = await handler.check(undefined, {
    ...(await machineAt(cluster, node.address)),
    machineId: id,
    machineConfiguration,
    patches,
    mode,
    timeoutSeconds: 3_600,
    settledSeconds: 0,
    redactedConfiguration: "",
  });
  expect(failures).toEqual([]);
  return inputs;
}

/** Identifies the machine's boot. */
const boot = async () =>
  withMachine(
    await machineAt(cluster, node.address),
    async (client) => (await readStatus(client, {})).boot,
  );

/** Updates a machine; what is recorded then, and whether it has rebooted. */
async function update(state: ApplyState, authorities: CertificateAndKey[]) {
  const before = await boot();
  const after = await handler.update(id, state, await inputsOf(authorities), silent);
  return { after, hasRebooted: (await boot()) !== before };
}

// Talos v1.14 doesn't reboot by itself, and refuses to be asked for it.
describe.each(["v1.12.1", "v1.14.1"])("a machine of %s whose etcd trusts other CAs", (talos) => {
  beforeEach(() => start(talos));

  steppingIt("reboots if the number of CAs changes, and otherwise doesn't", async () => {
    const old = cluster.secrets.certs.etcd;
    const { state } = await handler.create(
      { ...(await inputsOf([old])), takeover: "auto" },
      silent,
    );
    const accepting = await update(state, [old, next]);
    expect(accepting.hasRebooted).toBe(true);
    const issuing = await update(accepting.after, [next, old]);
    expect(issuing.hasRebooted).toBe(false);
    const dropping = await update(issuing.after, [next]);
    expect(dropping.hasRebooted).toBe(true);
  });

  steppingIt("is not changed if it may not reboot", async () => {
    const old = cluster.secrets.certs.etcd;
    const { state } = await handler.create(
      { ...(await inputsOf([old])), takeover: "auto" },
      silent,
    );
    const before = node.node.machineConfiguration;
    await expect(
      handler.update(id, state, await inputsOf([old, next], "noReboot"), silent),
    ).rejects.toThrow(
      /was not changed: cluster\.etcd\.ca takes effect only when it reboots, and mode is "noReboot"\. Set mode to "auto"/,
    );
    expect(node.node.machineConfiguration).toBe(before);
  });
});
