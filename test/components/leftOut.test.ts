import { type Facts, recordedFacts } from "../emulator/aws/plugin/providerFacts";
import { type Site, settableProperties } from "./settableProperties";

const types = recordedFacts();

/**
 * What becomes of each property that the components set in some cases only, and that the AWS provider keeps
 * when it is left out again. A property that is always set, with a default where nothing is chosen, needs no answer.
 */
const ANSWERS: Readonly<Record<string, string>> = {
  // One of the two is always set, and AWS takes the other away.
  "Group.launchTemplate": "exclusive with mixedInstancesPolicy",
  "Group.mixedInstancesPolicy": "exclusive with launchTemplate",

  // Kept on purpose, and said in each run: machines/keptSettings.ts.
  "Instance.capacityReservationSpecification": "warned: EC2 changes it only on a stopped machine",
  "Instance.ebsBlockDevices": "warned: a volume goes only with its machine",
  "Instance.ebsBlockDevices.iops": "ignored with the whole of ebsBlockDevices",
  "Instance.ebsBlockDevices.kmsKeyId": "ignored with the whole of ebsBlockDevices",
  "Instance.ebsBlockDevices.throughput": "ignored with the whole of ebsBlockDevices",
  // To write gp3's own would be a new version of each template, which replaces machines.
  "LaunchTemplate.blockDeviceMappings.ebs.iops": "warned",
  "LaunchTemplate.blockDeviceMappings.ebs.throughput": "warned",
  // A number of its own would replace the group, and its machines, where AWS has chosen another.
  "PlacementGroup.partitionCount": "warned, and refused for pools of machines with names",

  // gp3's own are written; other types have no such property, or it is required.
  "Instance.rootBlockDevice.iops": "left out only for gp2, whose operations follow from its size",
  "Instance.rootBlockDevice.throughput": "left out only for types that have none",

  // AWS can't change it: refused by ImmutableArguments of a cluster.
  "Instance.rootBlockDevice.kmsKeyId": "only a machine that is made again has another key",
  "Subnet.ipv6CidrBlock": "refused in the preview: network/makeNetwork.ts",

  // One caller always gives a name, the other never.
  "LogGroup.name": "the audit log's group has a name, that of flow logs none",
  // Without effect once the machine has booted.
  "Instance.userDataBase64": "ignored: Talos reads it at its first boot",
  // Without effect for a check by TCP.
  "TargetGroup.healthCheck.matcher": "left out only for TCP, which has no answers to match",
  "TargetGroup.healthCheck.path": "left out only for TCP, which has no path",
  // Items of a set, of which the provider carries nothing over.
  "BucketServerSideEncryptionConfiguration.rules.applyServerSideEncryptionByDefault.kmsMasterKeyId":
    "the rule is another one without it",
  "BucketServerSideEncryptionConfiguration.rules.bucketKeyEnabled":
    "the rule is another one without it",
};

/** The properties that the provider keeps when they are left out, at any depth. */
function kept(prefix: string, facts: Facts): string[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const here = `${prefix}.${name}`;
    const isKept = fact.computed === true && fact.output !== true && fact.default === undefined;
    return [...(isKept ? [here] : []), ...kept(here, fact.fields ?? {})];
  });
}

const keptByProvider = new Set(
  Object.entries(types).flatMap(([type, facts]) => kept(type.split(":")[2] ?? "", facts)),
);

describe("what the components set in some cases only, and the AWS provider keeps when it is left out", () => {
  let settable: ReadonlyMap<string, readonly Site[]>;

  beforeAll(() => {
    settable = settableProperties(types);
  }, 120_000);

  it("has an answer each: taken back, refused, warned of, or without effect", () => {
    const sites = settable.get("Instance.monitoring") ?? [];
    expect(sites.map(({ at, isAlwaysSet }) => [at.split(":")[0], isAlwaysSet])).toEqual([
      ["components/machines/makeMachine.ts", true],
    ]);
    const unanswered = [...settable]
      .filter(([property]) => keptByProvider.has(property) && ANSWERS[property] === undefined)
      .flatMap(([property, sites]) =>
        sites.filter(({ isAlwaysSet }) => !isAlwaysSet).map(({ at }) => `${property} at ${at}`),
      );
    expect(unanswered).toEqual([]);
  });

  it("has no answer for what is always set, or never", () => {
    const idle = Object.keys(ANSWERS).filter((property) =>
      (settable.get(property) ?? []).every(({ isAlwaysSet }) => isAlwaysSet),
    );
    expect(idle).toEqual([]);
  });
});
