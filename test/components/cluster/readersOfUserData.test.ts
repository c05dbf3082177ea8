import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { machineConfigurationInputs, secretValues } from "../../provider/resources/samples";
import { INSTANCE, make } from "./clusters";

const network = { zones: ["us-east-1a"], nat: "single" } as const;
const workerPools = {
  fixed: { machineCount: 1 },
  scaled: { autoScaling: { minSize: 1, maxSize: 2 }, subnets: "private" },
} as const;

describe("somebody who reads EC2 in the account", () => {
  it("finds user data of pools, and none of control planes, unless they boot with it", async () => {
    const read = async (delivery?: "userData") => {
      const controlPlane = { machineCount: 1, ...(delivery && { delivery }) };
      const { graph } = await make({ network, workerPools, controlPlane });
      return [...graph.ofType(INSTANCE), ...graph.ofType("aws:ec2/launchTemplate:LaunchTemplate")]
        .filter(({ inputs }) => (inputs.userDataBase64 ?? inputs.userData) !== undefined)
        .map(({ name }) => name)
        .sort();
    };
    const ofPools = ["c-fixed-1", "c-scaled"];
    expect(await read()).toEqual(ofPools);
    expect(await read("userData")).toEqual(["c-control-plane-1", ...ofPools]);
  });

  it("finds in those of pools what joins workers, and no key of the cluster", async () => {
    const inputs = await machineConfigurationInputs();
    const { secretsBundle: secrets } = inputs;
    const installerImage = "factory.talos.dev/aws-installer/a:v1.12.1";
    const documents = generateMachineConfig({ ...inputs, machineType: "worker", installerImage });
    const text = encodeDocuments(documents);
    const joins = [
      secrets.trustdinfo.token,
      secrets.secrets.bootstraptoken,
      secrets.cluster.secret,
      secrets.cluster.id,
    ];
    expect(joins.filter((value) => !text.includes(value))).toEqual([]);
    const others = secretValues(secrets).filter((value) => !joins.includes(value));
    expect(others.length).toBeGreaterThan(5);
    expect(others.filter((value) => text.includes(value))).toEqual([]);
  });
});
