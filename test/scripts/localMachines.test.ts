import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { chooseAddOns } from "../../components/cluster/addOns/chooseAddOns";
import { checkTalosCluster } from "../../components/cluster/checks/checkTalosCluster";
import { parseSettings } from "../../environments/settings";
import { localMachines } from "../../scripts/localMachines";
import { inContainers } from "../../scripts/localProgram";

describe("npm run local", () => {
  it("has simulated machines, unless it is told otherwise", () => {
    expect(localMachines([])).toBeUndefined();
  });

  it("has containers in the range of its VPC", () => {
    expect(localMachines(["--machines", "docker", "--machine-image", "talos:own"])).toEqual({
      by: "docker",
      range: "10.0.0.0/16",
      image: "talos:own",
    });
  });

  it.each([
    [["--machines", "podman"], '--machines is "podman"'],
    [["--machine-image", "talos"], "--machine-image is for `--machines docker` alone"],
    [["now"], 'and got "now": change environments/Pulumi.local.yaml'],
  ])("refuses %j", (args, message) => {
    expect(() => localMachines(args)).toThrow(message);
  });

  it("makes a cluster of containers that this computer reaches", () => {
    const file = join(__dirname, "../../environments/Pulumi.local.yaml");
    const { config } = parse(readFileSync(file, "utf8")) as {
      readonly config: Readonly<Record<string, unknown>>;
    };
    const values = Object.entries(config).flatMap(([key, value]) =>
      key.startsWith("talos-aws:")
        ? [
            [
              key.slice("talos-aws:".length),
              typeof value === "string" ? value : JSON.stringify(value),
            ],
          ]
        : [],
    );
    const pool = JSON.stringify({ apps: { machineCount: 1 } });
    const { cluster } = parseSettings({
      stack: "local",
      region: "us-east-1",
      values: { ...(Object.fromEntries(values) as Record<string, string>), workerPools: pool },
    });
    const changed = inContainers(cluster);
    expect(checkTalosCluster(cluster.environment, chooseAddOns(changed))).toEqual([]);
    expect(changed).toMatchObject({
      exposure: "internal",
      controlPlane: { machineCount: 3, subnets: "private" },
      workerPools: { apps: { machineCount: 1, subnets: "private" } },
    });
  });
});
