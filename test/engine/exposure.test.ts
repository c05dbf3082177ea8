import { localSettings, startEngineWorld } from "./support/engineWorld";

/** One machine behind both load balancers, that may do everything a role can be given. */
const RICH = `
  talos-aws:exposure: both
  talos-aws:apiHealthCheck: answering
  talos-aws:controlPlane:
    machineCount: 1
    role:
      permissions:
        cloudController: true
        ebsCsi: true
        ecrPull: true
        clusterAutoscaler: true
        etcdBackupArn: arn:aws:s3:::backups/local
`;

describe("a cluster behind a public and an internal load balancer", () => {
  it("comes up, stays as it is, and goes", async () => {
    const world = await startEngineWorld({ settings: `${await localSettings()}${RICH}` });
    try {
      const { outputs } = await world.stack.up(world.record);
      expect(outputs.endpoint?.value).toBe("https://k8s.local.talos.example:6443");
      const [address] = await world.emulator.resolve("k8s.local.talos.example");
      const [open] = await world.emulator.resolve(String(outputs.loadBalancerDnsName?.value));
      // The emulated DNS asks from inside the network: the name leads to the internal one.
      expect(address).toMatch(/^127\./);
      expect(address).not.toBe(open);
      const { changeSummary } = await world.stack.preview(world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
      await world.stack.destroy(world.record);
      expect(world.emulator.nodes()).toEqual([]);
    } finally {
      await world.close();
    }
  }, 180_000);
});
