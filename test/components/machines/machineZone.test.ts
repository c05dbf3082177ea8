import { WorkerPool } from "../../../components";
import { removedZoneProblem } from "../../../components/machines/machineZone";
import { build, valueOf } from "../mockedGraph";

const pool = (networkZones: string[]) =>
  build(
    () =>
      new WorkerPool("apps", {
        clusterName: "c",
        machineCount: 1,
        subnets: { "us-east-1b": { id: "net-public-us-east-1b-id" } },
        networkZones,
        imageId: "ami-1",
        securityGroupId: "sg-1",
        machineConfiguration: "version: v1alpha1",
        delivery: "apply",
        credentials: { ca: "ca", crt: "crt", key: "key" },
      }),
  );

describe("the zone of a machine", () => {
  it("is known while the network has it", async () => {
    const { value } = await pool(["us-east-1a", "us-east-1b"]);
    const [machine] = Object.values(value.machines);
    expect(machine && (await valueOf(machine.zone))).toBe("us-east-1b");
  });

  it("can't be removed before the machine; the error names the machine and what to do", () => {
    expect(removedZoneProblem("apps-1", "us-east-1b", ["us-east-1a"])).toMatch(
      /"us-east-1b" can't be removed while the machine apps-1 is in it: .*Move the machine first .*, or remove it; then remove the zone/,
    );
    expect(removedZoneProblem("apps-1", "us-east-1b", ["us-east-1b"])).toBeUndefined();
  });
});
